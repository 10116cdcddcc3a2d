package exitcodes

import "fmt"

// Verdict is what the end of a replica means for its job.
type Verdict string

const (
	// Retryable: worth another try, the cause lies outside the program.
	Retryable Verdict = "retryable"
	// Permanent: the same would happen again, the job fails.
	Permanent Verdict = "permanent"
	// Undefined: nobody said; a table tells what it is handled as.
	Undefined Verdict = "undefined"
)

// actionable tells the two verdicts that a table can hold.
func (v Verdict) actionable() bool {
	return v == Retryable || v == Permanent
}

// The version of the annotation that is read and written here.
const tableVersion = 1

// MaxMaxRetries is the highest value of max-retries.
const MaxMaxRetries = 999999999

// Table is an exit-code table: what each end of a replica means.
type Table struct {
	// Profile is the name of the profile that the table was made from.
	Profile string
	// Permanent and Retryable have no code in common.
	Permanent, Retryable Codes
	// Undefined is how a code in neither set is handled: Retryable or Permanent.
	Undefined Verdict
	// Reasons maps reasons of containers and pods to Retryable or Permanent. "OOMKilled" holds
	// together with code 137 only.
	Reasons map[string]Verdict
	// Disruption stands for drain, preemption, eviction, deletion: Retryable or Permanent.
	Disruption Verdict
	// NoExitCode is for a pod whose own container never ran to an end: Retryable or Permanent.
	NoExitCode Verdict
	// MaxRetries limits how often one replica is retried, 0 to MaxMaxRetries; nil for no limit.
	MaxRetries *int32
}

// DefaultTable is the built-in profile kubeflow, the table of tf-operator's pull request 518.
func DefaultTable() Table {
	return Table{
		Profile:    "kubeflow",
		Permanent:  codesOf(1, 2, 126, 127, 128, 139),
		Retryable:  codesOf(130, 137, 138, 143),
		Undefined:  Permanent,
		Reasons:    map[string]Verdict{oomKilled: Permanent},
		Disruption: Retryable,
		NoExitCode: Retryable,
	}
}

// VerdictOf is what the lists say of code, any integer: Undefined if it is in neither.
func (t Table) VerdictOf(code int64) Verdict {
	switch {
	case t.Permanent.Contains(code):
		return Permanent
	case t.Retryable.Contains(code):
		return Retryable
	default:
		return Undefined
	}
}

// HandledAs is what verdict is acted on as: Undefined becomes the table's own fallback.
func (t Table) HandledAs(verdict Verdict) Verdict {
	if verdict == Undefined {
		return t.Undefined
	}
	return verdict
}

// IsRetryableExitCode is shaped like the function of tf-operator and training-operator, for the
// exit code of a failed container. It knows the code alone: use Decide to have reasons, disruptions
// and the number of retries count as well.
func (t Table) IsRetryableExitCode(exitCode int32) bool {
	return t.HandledAs(t.VerdictOf(int64(exitCode))) == Retryable
}

// IsRetryableExitCode is Table.IsRetryableExitCode by the default table.
func IsRetryableExitCode(exitCode int32) bool {
	return DefaultTable().IsRetryableExitCode(exitCode)
}

// Validate tells what the contract does not allow in t; nil if all is well.
func (t Table) Validate() error {
	if both := t.Permanent.Intersection(t.Retryable); both.Len() > 0 {
		return fmt.Errorf("permanent and retryable both have %d: keep it in one", both.Values()[0])
	}
	verdicts := []struct {
		name  string
		value Verdict
	}{{"undefined", t.Undefined}, {"disruption", t.Disruption}, {"noExitCode", t.NoExitCode}}
	for _, verdict := range verdicts {
		if !verdict.value.actionable() {
			return fmt.Errorf("%s is %q: use Retryable or Permanent", verdict.name, verdict.value)
		}
	}
	for reason, verdict := range t.Reasons {
		if !verdict.actionable() {
			return fmt.Errorf("reason %q is %q: use Retryable or Permanent", reason, verdict)
		}
	}
	if t.MaxRetries != nil && (*t.MaxRetries < 0 || *t.MaxRetries > MaxMaxRetries) {
		return fmt.Errorf("maxRetries is %d: use 0 to %d", *t.MaxRetries, MaxMaxRetries)
	}
	return nil
}
