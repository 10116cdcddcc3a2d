// Package exitcodes reads the exit-code tables that tfjob-webhook writes onto training jobs and
// their pods, and decides by them whether a replica that died is worth another try.
//
// A controller asks about a pod that ended:
//
//	decision, err := exitcodes.Decide(podJSON, job.Annotations, "tensorflow", retries)
//
// The contract behind it is docs/annotation-contract.md; this package passes all vectors of
// conformance/vectors.json. It needs the standard library only.
//
// A Table and what belongs to it are values without locks: any number of goroutines may read one
// as long as none changes it.
package exitcodes

// The annotations of the contract.
const (
	// TableAnnotation holds the table. The webhook alone writes it, on jobs and on pod templates.
	TableAnnotation = "exit-codes.kubeflow.org/table"
	// ProfileAnnotation names a profile.
	ProfileAnnotation = "exit-codes.kubeflow.org/profile"
	// RetryableAnnotation lists codes that become retryable.
	RetryableAnnotation = "exit-codes.kubeflow.org/retryable"
	// PermanentAnnotation lists codes that become permanent.
	PermanentAnnotation = "exit-codes.kubeflow.org/permanent"
	// MaxRetriesAnnotation limits how often one replica is retried.
	MaxRetriesAnnotation = "exit-codes.kubeflow.org/max-retries"
)
