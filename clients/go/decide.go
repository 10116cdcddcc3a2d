package exitcodes

import (
	"encoding/json"
	"fmt"
)

// Cause is the step of the contract that decided.
type Cause string

const (
	// NoTable: neither the pod nor its job has a table that can be read.
	NoTable Cause = "noTable"
	// Succeeded: by the pod's phase.
	Succeeded Cause = "succeeded"
	// Disruption: the pod was drained, preempted, evicted or deleted.
	Disruption Cause = "disruption"
	// Reason: the table lists a reason of the container or of the pod.
	Reason Cause = "reason"
	// NoExitCode: the job's container never ran to an end, or the runtime lost how it did.
	NoExitCode Cause = "noExitCode"
	// Code: by the exit code.
	Code Cause = "code"
	// RetriesUsedUp: retryable, but retried MaxRetries times already.
	RetriesUsedUp Cause = "retriesUsedUp"
)

const (
	oomKilled = "OOMKilled"
	// Linux's 128 + SIGKILL, the code that an out-of-memory kill leaves.
	killed = 137
)

// Decision is what a table says of a pod that ended.
type Decision struct {
	Cause Cause
	// Verdict may be Undefined; empty for NoTable and Succeeded.
	Verdict Verdict
	// HandledAs is Retryable or Permanent; empty for NoTable and Succeeded.
	HandledAs Verdict
	// Because is one sentence that says why, for events and logs.
	Because string
}

// Retry tells whether the replica is to be started again. Without a table it is false: whoever calls
// has to decide otherwise then, by Cause.
func (d Decision) Retry() bool {
	return d.HandledAs == Retryable
}

// Decide decides about a pod that ended, given as Kubernetes' JSON, by its own table or else by that
// among its job's annotations (nil if there are none).
//
// container names the job's own container, "tensorflow" for a TFJob; the pod's first one is meant
// where it is empty. retries is how often this replica (type and index) was retried already,
// disruptions apart, since its job was last resumed. The error is about JSON that is no pod.
func Decide(podJSON []byte, jobAnnotations map[string]string, container string, retries int) (Decision, error) {
	var pod Pod
	if err := json.Unmarshal(podJSON, &pod); err != nil {
		return Decision{}, fmt.Errorf("this is no pod: %w", err)
	}
	return pod.Decide(jobAnnotations, container, retries), nil
}

// Decide is the function Decide for a pod that was read before.
func (p *Pod) Decide(jobAnnotations map[string]string, container string, retries int) Decision {
	table, ok := ReadTable(p.Metadata.Annotations, jobAnnotations)
	if !ok {
		return Decision{Cause: NoTable, Because: "neither the pod nor its job has an exit-code table that can be read"}
	}
	return table.Decide(p, container, retries)
}

// Decide decides about a pod by t, whatever the pod's annotations say; see the function Decide.
func (t Table) Decide(pod *Pod, container string, retries int) Decision {
	if pod.Status.Phase == "Succeeded" {
		return Decision{Cause: Succeeded, Because: "the pod succeeded"}
	}
	own := pod.ownContainer(container)
	ended := terminated(pod.Status.ContainerStatuses, own)
	init := ""
	if ended == nil {
		init, ended = pod.failedInit()
	}
	if what := disruptionOf(pod, ended); what != "" {
		return t.decided(Disruption, t.Disruption, "the pod was disrupted ("+what+")")
	}
	return t.limited(t.byEnd(pod, own, init, ended), retries)
}

// disruptionOf tells what disrupted the pod; empty if nothing did.
func disruptionOf(pod *Pod, ended *Terminated) string {
	for _, condition := range pod.Status.Conditions {
		if condition.Type == "DisruptionTarget" && condition.Status == "True" {
			return "condition DisruptionTarget"
		}
	}
	switch {
	case pod.Status.Reason == "Preempting" || pod.Status.Reason == "Terminated":
		return "reason " + pod.Status.Reason
	case deletedBeforeEnd(&pod.Metadata, ended):
		return "deleted before it ended"
	default:
		return ""
	}
}

// deletedBeforeEnd knows that Kubernetes sets deletionTimestamp to the time of the deletion plus the
// grace period.
func deletedBeforeEnd(metadata *PodMetadata, ended *Terminated) bool {
	if metadata.DeletionTimestamp == nil {
		return false
	}
	if ended == nil || ended.FinishedAt == nil {
		return true
	}
	var grace int64
	if metadata.DeletionGracePeriodSeconds != nil {
		grace = *metadata.DeletionGracePeriodSeconds
	}
	// The years of RFC 3339 have four digits, so this difference cannot overflow.
	return metadata.DeletionTimestamp.Unix()-ended.FinishedAt.Unix() <= grace
}

// byEnd has the steps for reasons, init containers, missing and given codes. init is the name of the
// init container that failed in the job's container's stead, if ended is of one.
func (t Table) byEnd(pod *Pod, own, init string, ended *Terminated) Decision {
	if decision, listed := t.byReason("pod reason "+pod.Status.Reason, pod.Status.Reason, ended); listed {
		return decision
	}
	subject := "container " + own + ": "
	if init != "" {
		if init == "init-pytorch" || init == "kubectl-delivery" {
			return t.decided(NoExitCode, t.NoExitCode, "init container "+init+", which the operator adds, failed")
		}
		subject = "init container " + init + ": "
	}
	if ended == nil {
		return t.decided(NoExitCode, t.NoExitCode, "container "+own+" never ran to an end")
	}
	what := fmt.Sprintf("%s%s with %d", subject, ended.Reason, ended.ExitCode)
	if decision, listed := t.byReason(what, ended.Reason, ended); listed {
		return decision
	}
	if init == "" && (ended.Reason == "Unknown" || ended.Reason == "ContainerStatusUnknown") {
		return t.decided(NoExitCode, t.NoExitCode, "the runtime lost how container "+own+" ended")
	}
	return t.decided(Code, t.VerdictOf(ended.ExitCode), fmt.Sprintf("%sexit code %d", subject, ended.ExitCode))
}

func (t Table) byReason(what, reason string, ended *Terminated) (decision Decision, listed bool) {
	verdict, listed := t.Reasons[reason]
	if !listed || reason == "" {
		return Decision{}, false
	}
	// Runtimes give this reason also when a child of the container's process was killed and the
	// process itself ended some other way.
	if reason == oomKilled && (ended == nil || ended.ExitCode != killed) {
		return Decision{}, false
	}
	return t.decided(Reason, verdict, what), true
}

func (t Table) decided(cause Cause, verdict Verdict, what string) Decision {
	because := fmt.Sprintf("%s is %s by profile %s", what, verdict, t.Profile)
	if verdict == Undefined {
		because += ", which handles that as " + string(t.Undefined)
	}
	return Decision{Cause: cause, Verdict: verdict, HandledAs: t.HandledAs(verdict), Because: because}
}

// limited makes permanent what was retried too often.
func (t Table) limited(decision Decision, retries int) Decision {
	if decision.HandledAs != Retryable || t.MaxRetries == nil || retries < int(*t.MaxRetries) {
		return decision
	}
	return Decision{
		Cause:     RetriesUsedUp,
		Verdict:   Permanent,
		HandledAs: Permanent,
		Because: fmt.Sprintf("%s; but this replica was retried %d times already and the limit is %d",
			decision.Because, retries, *t.MaxRetries),
	}
}
