package exitcodes_test

import (
	"fmt"

	"example.com/tfjob-webhook/exitcodes"
)

const table = `{"version":1,"profile":"kubeflow","permanent":[1,2,126,127,128,139],` +
	`"retryable":[130,137,138,143],"undefined":"permanent","reasons":{"OOMKilled":"permanent"},` +
	`"disruption":"retryable","noExitCode":"retryable","maxRetries":3}`

func ExampleDecide() {
	pod := []byte(`{
	  "metadata": {"name": "mnist-worker-0"},
	  "spec": {"containers": [{"name": "tensorflow"}]},
	  "status": {
	    "phase": "Failed",
	    "containerStatuses": [{
	      "name": "tensorflow",
	      "state": {"terminated": {"exitCode": 137, "reason": "OOMKilled"}}
	    }]
	  }
	}`)
	job := map[string]string{exitcodes.TableAnnotation: table}
	decision, err := exitcodes.Decide(pod, job, "tensorflow", 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(decision.Cause, decision.Verdict, decision.Retry())
	fmt.Println(decision.Because)
	// Output:
	// reason permanent false
	// container tensorflow: OOMKilled with 137 is permanent by profile kubeflow
}

func ExampleReadTable() {
	pod := map[string]string{exitcodes.TableAnnotation: `{"version":2}`} // of some later webhook
	job := map[string]string{exitcodes.TableAnnotation: table}
	read, ok := exitcodes.ReadTable(pod, job)
	fmt.Println(ok, read.Profile, read.Retryable.Values())
	// Output: true kubeflow [130 137 138 143]
}

func ExampleDecode() {
	_, err := exitcodes.Decode(`{"version":2}`)
	fmt.Println(err)
	// Output: the table is of version 2, later than the one that is known here, 1
}

func ExampleTable_Decide() {
	pod := &exitcodes.Pod{
		Status: exitcodes.PodStatus{
			Phase: "Failed",
			ContainerStatuses: []exitcodes.ContainerStatus{{
				Name:  "pytorch",
				State: exitcodes.ContainerState{Terminated: &exitcodes.Terminated{ExitCode: 143, Reason: "Error"}},
			}},
		},
	}
	limit := int32(3)
	table := exitcodes.DefaultTable()
	table.MaxRetries = &limit
	for _, retries := range []int{2, 3} {
		decision := table.Decide(pod, "pytorch", retries)
		fmt.Println(decision.Cause, decision.HandledAs)
	}
	// Output:
	// code retryable
	// retriesUsedUp permanent
}

func ExampleIsRetryableExitCode() {
	for _, code := range []int32{1, 138, 139, 143, 255} {
		fmt.Println(code, exitcodes.IsRetryableExitCode(code))
	}
	// Output:
	// 1 false
	// 138 true
	// 139 false
	// 143 true
	// 255 false
}

func ExampleMakeTable() {
	profiles, err := exitcodes.NewProfiles(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	job, err := exitcodes.ReadInputs(map[string]string{
		exitcodes.ProfileAnnotation:   "cloudml",
		exitcodes.RetryableAnnotation: "42, 100-102, SIGUSR2",
	}, profiles)
	if err != nil {
		fmt.Println(err)
		return
	}
	table, err := exitcodes.MakeTable(profiles, "kubeflow", job)
	fmt.Println(table.Profile, table.Retryable.Values(), err)
	// Output: cloudml [42 100 101 102 130 137 140 143] <nil>
}

func ExampleReadInputs() {
	profiles, err := exitcodes.NewProfiles(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = exitcodes.ReadInputs(map[string]string{
		exitcodes.RetryableAnnotation:  "42, 256",
		exitcodes.MaxRetriesAnnotation: "-1",
	}, profiles)
	fmt.Println(err)
	// Output:
	// exit-codes.kubeflow.org/retryable: "256" is no exit code: write a number from 1 to 255, a range such as 100-110, a signal such as SIGTERM or a name of sysexits.h such as EX_TEMPFAIL
	// exit-codes.kubeflow.org/max-retries: "-1" is no number of retries: write a number from 0 to 999999999
}
