import java.io.FileReader;
import weka.classifiers.trees.J48;
import weka.core.Instances;

/**
 * Arguments: options as one text, table.arff (class last), folds. Prints the size of the tree of all rows, then the class
 * that it gives each row, then the class that the tree of the other folds gives it (row number % folds), then the tree.
 */
public class WekaJ48 {
    public static void main(String[] arguments) throws Exception {
        Instances table = new Instances(new FileReader(arguments[1]));
        table.setClassIndex(table.numAttributes() - 1);
        int folds = Integer.parseInt(arguments[2]);
        J48 whole = learn(arguments[0], table);
        System.out.println((int) whole.measureNumLeaves() + " " + (int) whole.measureTreeSize());
        StringBuilder learnt = new StringBuilder(), held = new StringBuilder();
        J48[] others = new J48[folds];
        for (int fold = 0; fold < folds; fold++) {
            Instances rest = new Instances(table, 0);
            for (int i = 0; i < table.numInstances(); i++) if (i % folds != fold) rest.add(table.instance(i));
            others[fold] = learn(arguments[0], rest);
        }
        for (int i = 0; i < table.numInstances(); i++) {
            learnt.append(' ').append((int) whole.classifyInstance(table.instance(i)));
            held.append(' ').append((int) others[i % folds].classifyInstance(table.instance(i)));
        }
        System.out.println(learnt.substring(1));
        System.out.println(held.substring(1));
        System.out.print(whole);
    }

    static J48 learn(String options, Instances rows) throws Exception {
        J48 model = new J48();
        model.setOptions(options.split(" "));
        model.buildClassifier(rows);
        return model;
    }
}
