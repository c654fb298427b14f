import java.io.FileReader;
import weka.classifiers.bayes.BayesNet;
import weka.core.Instances;

/** Arguments: table.arff (class last), options of BayesNet. Prints for each column its parent beside the class, or -1. */
public class WekaTan {
    public static void main(String[] arguments) throws Exception {
        Instances table = new Instances(new FileReader(arguments[0]));
        int last = table.numAttributes() - 1;
        table.setClassIndex(last);
        BayesNet model = new BayesNet();
        model.setOptions(java.util.Arrays.copyOfRange(arguments, 1, arguments.length));
        model.buildClassifier(table);
        for (int j = 0; j < last; j++) {
            int parent = -1;
            for (int at = 0; at < model.getNrOfParents(j); at++)
                if (model.getParent(j, at) != last) parent = model.getParent(j, at);
            System.out.println(parent);
        }
    }
}
