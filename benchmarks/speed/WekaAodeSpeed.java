import java.util.Random;
import weka.classifiers.bayes.AODE;
import weka.core.Attribute;
import weka.core.FastVector;
import weka.core.Instance;
import weka.core.Instances;

/** Arguments: rows, columns, levels, classes, repeats. Prints the seconds to build and to ask all rows, a repeat a line. */
public class WekaAodeSpeed {
    public static void main(String[] arguments) throws Exception {
        int rows = Integer.parseInt(arguments[0]), columns = Integer.parseInt(arguments[1]);
        int levels = Integer.parseInt(arguments[2]), classes = Integer.parseInt(arguments[3]);
        FastVector attributes = new FastVector();
        for (int j = 0; j < columns; j++) attributes.addElement(nominal("x" + j, levels));
        attributes.addElement(nominal("y", classes));
        Instances table = new Instances("table", attributes, rows);
        table.setClassIndex(columns);
        Random random = new Random(0);
        for (int i = 0; i < rows; i++) {
            double[] values = new double[columns + 1];
            for (int j = 0; j < columns; j++) values[j] = random.nextInt(levels);
            values[columns] = random.nextInt(classes);
            table.add(new Instance(1.0, values));
        }
        double sum = 0; // used at the end, so that no call can be optimised away
        for (int repeat = Integer.parseInt(arguments[4]); repeat > 0; repeat--) {
            AODE model = new AODE();
            long start = System.nanoTime();
            model.buildClassifier(table);
            long built = System.nanoTime();
            for (int i = 0; i < rows; i++) sum += model.distributionForInstance(table.instance(i))[0];
            System.out.println((built - start) / 1e9 + " " + (System.nanoTime() - built) / 1e9);
        }
        System.err.println(sum);
    }

    static Attribute nominal(String name, int levels) {
        FastVector values = new FastVector();
        for (int level = 0; level < levels; level++) values.addElement("level " + level);
        return new Attribute(name, values);
    }
}
