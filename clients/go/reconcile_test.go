package exitcodes_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"example.com/tfjob-webhook/exitcodes"
)

// restart tells whether a failed pod of a replica under ExitCode is to be started again.
// pod is a *corev1.Pod; job are the annotations of the job that owns it.
func restart(pod interface{}, job map[string]string, container string, retries int) (bool, string, error) {
	podJSON, err := json.Marshal(pod)
	if err != nil {
		return false, "", err
	}
	decision, err := exitcodes.Decide(podJSON, job, container, retries)
	if err != nil {
		return false, "", err
	}
	if decision.Cause == exitcodes.NoTable {
		// The job is older than the webhook: what tf-operator did.
		decision, err = decideByDefault(podJSON, container, retries)
	}
	return decision.Retry(), decision.Because, err
}

func decideByDefault(podJSON []byte, container string, retries int) (exitcodes.Decision, error) {
	var pod exitcodes.Pod
	if err := json.Unmarshal(podJSON, &pod); err != nil {
		return exitcodes.Decision{}, err
	}
	return exitcodes.DefaultTable().Decide(&pod, container, retries), nil
}

func Example_reconcile() {
	failed := func(code int, annotations map[string]string) interface{} {
		terminated := map[string]interface{}{"exitCode": code, "reason": "Error"}
		status := map[string]interface{}{"name": "tensorflow", "state": map[string]interface{}{"terminated": terminated}}
		return map[string]interface{}{
			"metadata": map[string]interface{}{"annotations": annotations},
			"status":   map[string]interface{}{"phase": "Failed", "containerStatuses": []interface{}{status}},
		}
	}
	annotated := map[string]string{exitcodes.TableAnnotation: table} // maxRetries is 3
	fmt.Println(restart(failed(143, annotated), nil, "tensorflow", 0))
	fmt.Println(restart(failed(143, annotated), nil, "tensorflow", 3))
	fmt.Println(restart(failed(139, nil), nil, "tensorflow", 0))
	// Output:
	// true container tensorflow: exit code 143 is retryable by profile kubeflow <nil>
	// false container tensorflow: exit code 143 is retryable by profile kubeflow; but this replica was retried 3 times already and the limit is 3 <nil>
	// false container tensorflow: exit code 139 is permanent by profile kubeflow <nil>
}

func TestTheCodeOfTheReadmeIsTheCodeThatIsTested(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	var tested strings.Builder
	for _, name := range []string{"example_test.go", "reconcile_test.go"} {
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		tested.Write(source)
	}
	blocks := strings.Split(string(readme), "```go\n")[1:]
	if len(blocks) == 0 {
		t.Fatal("the README has no code")
	}
	for _, block := range blocks {
		code, _, _ := strings.Cut(block, "```")
		if !strings.Contains(unindented(tested.String()), unindented(code)) {
			t.Errorf("no test has\n%s", code)
		}
	}
}

func unindented(code string) string {
	lines := strings.Split(code, "\n")
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	return strings.Join(lines, "\n")
}
