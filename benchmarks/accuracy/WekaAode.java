import java.io.FileReader;
import weka.classifiers.Classifier;
import weka.core.Instances;

/** Arguments: classifier with its options as one text, train.arff, test.arff (class last). Prints a test row a line. */
public class WekaAode {
    public static void main(String[] arguments) throws Exception {
        String[] words = arguments[0].split(" ");
        String[] options = java.util.Arrays.copyOfRange(words, 1, words.length);
        Classifier model = Classifier.forName(words[0], options);
        Instances train = read(arguments[1]), test = read(arguments[2]);
        model.buildClassifier(train);
        for (int i = 0; i < test.numInstances(); i++) {
            StringBuilder line = new StringBuilder();
            for (double p : model.distributionForInstance(test.instance(i))) line.append(' ').append(p);
            System.out.println(line.substring(1)); // Double.toString gives the digits that tell the double apart
        }
    }

    static Instances read(String path) throws Exception {
        Instances table = new Instances(new FileReader(path));
        table.setClassIndex(table.numAttributes() - 1);
        return table;
    }
}
