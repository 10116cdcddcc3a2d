package exitcodes

import (
	"math"
	"strconv"
	"strings"
	"testing"
)

func TestADecisionAboutWhatIsNoPodIsAnError(t *testing.T) {
	for _, pod := range []string{``, `[]`, `{"status":{"phase":1}}`, `{"metadata":{"deletionTimestamp":"now"}}`} {
		if _, err := Decide([]byte(pod), nil, "", 0); err == nil || !strings.HasPrefix(err.Error(), "this is no pod: ") {
			t.Errorf("%q gives the error %v", pod, err)
		}
	}
}

func TestAPodOfWhichOnlyTheStatusWasKeptIsDecidedAbout(t *testing.T) {
	for status, because := range map[string]string{
		`{"containerStatuses":[{"name":"a","state":{"terminated":{"exitCode":1,"reason":"Error"}}},{"name":"b"}]}`: "container a: exit code 1 is permanent by profile kubeflow",
		`{"initContainerStatuses":[{"name":"data","state":{"terminated":{"exitCode":143,"reason":"Error"}}}]}`:     "init container data: exit code 143 is retryable by profile kubeflow",
	} {
		decision, err := Decide([]byte(`{"status":`+status+`}`), map[string]string{TableAnnotation: kubeflow}, "", 0)
		if err != nil || decision.Because != because {
			t.Errorf("got %q (error %v), not %q", decision.Because, err, because)
		}
	}
}

func TestGracePeriodsOfAnyLengthAreCompared(t *testing.T) {
	for grace, cause := range map[int64]Cause{math.MaxInt64: Disruption, 30: Disruption, 29: Code, math.MinInt64: Code} {
		pod := `{"metadata":{"deletionTimestamp":"2026-12-01T08:00:30Z","deletionGracePeriodSeconds":` +
			strconv.FormatInt(grace, 10) + `},"status":{"containerStatuses":[{"name":"a","state":{"terminated":` +
			`{"exitCode":1,"finishedAt":"2026-12-01T09:00:00.9+01:00"}}}]}}`
		decision, err := Decide([]byte(pod), map[string]string{TableAnnotation: kubeflow}, "", 0)
		if err != nil || decision.Cause != cause {
			t.Errorf("with %d the cause is %s (error %v), not %s", grace, decision.Cause, err, cause)
		}
	}
}
