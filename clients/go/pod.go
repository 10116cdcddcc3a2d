package exitcodes

import "time"

// Pod is what a decision needs to know of a pod that ended. It unmarshals from the JSON of
// Kubernetes' own Pod, whose field names it has; everything else there is passed over.
type Pod struct {
	Metadata PodMetadata `json:"metadata"`
	Spec     PodSpec     `json:"spec"`
	Status   PodStatus   `json:"status"`
}

// PodMetadata is part of ObjectMeta.
type PodMetadata struct {
	Annotations                map[string]string `json:"annotations"`
	DeletionTimestamp          *time.Time        `json:"deletionTimestamp"`
	DeletionGracePeriodSeconds *int64            `json:"deletionGracePeriodSeconds"`
}

// PodSpec is part of Kubernetes' PodSpec.
type PodSpec struct {
	InitContainers []ContainerSpec `json:"initContainers"`
	Containers     []ContainerSpec `json:"containers"`
}

// ContainerSpec is part of Kubernetes' Container.
type ContainerSpec struct {
	Name string `json:"name"`
	// RestartPolicy is "Always" for an init container that is a sidecar.
	RestartPolicy string `json:"restartPolicy"`
}

// PodStatus is part of Kubernetes' PodStatus.
type PodStatus struct {
	Phase                 string            `json:"phase"`
	Reason                string            `json:"reason"`
	Conditions            []PodCondition    `json:"conditions"`
	InitContainerStatuses []ContainerStatus `json:"initContainerStatuses"`
	ContainerStatuses     []ContainerStatus `json:"containerStatuses"`
}

// PodCondition is part of Kubernetes' PodCondition.
type PodCondition struct {
	Type   string `json:"type"`
	Status string `json:"status"`
}

// ContainerStatus is part of Kubernetes' ContainerStatus; lastState tells of an earlier run and does
// not count.
type ContainerStatus struct {
	Name  string         `json:"name"`
	State ContainerState `json:"state"`
}

// ContainerState is part of Kubernetes' ContainerState.
type ContainerState struct {
	Terminated *Terminated `json:"terminated"`
}

// Terminated is part of Kubernetes' ContainerStateTerminated.
type Terminated struct {
	// ExitCode is any integer: Windows has codes over 255.
	ExitCode   int64      `json:"exitCode"`
	Reason     string     `json:"reason"`
	FinishedAt *time.Time `json:"finishedAt"`
}

// terminated is how the container called name ended; nil if it did not.
func terminated(statuses []ContainerStatus, name string) *Terminated {
	for i := range statuses {
		if statuses[i].Name == name {
			return statuses[i].State.Terminated
		}
	}
	return nil
}

// ownContainer is the name of the job's own container: name, or the pod's first if it is empty.
func (p *Pod) ownContainer(name string) string {
	switch {
	case name != "":
		return name
	case len(p.Spec.Containers) > 0:
		return p.Spec.Containers[0].Name
	case len(p.Status.ContainerStatuses) > 0:
		return p.Status.ContainerStatuses[0].Name
	default:
		return ""
	}
}

// isSidecar tells whether an init container is meant to run beside the others.
func (p *Pod) isSidecar(name string) bool {
	for _, container := range p.Spec.InitContainers {
		if container.Name == name {
			return container.RestartPolicy == "Always"
		}
	}
	return false
}

// failedInit is the first init container that ended with another code than 0, sidecars apart: in the
// order of the spec, then those that only the status names. nil if there is none.
func (p *Pod) failedInit() (name string, ended *Terminated) {
	names := make([]string, 0, len(p.Spec.InitContainers))
	for _, container := range p.Spec.InitContainers {
		names = append(names, container.Name)
	}
	for _, status := range p.Status.InitContainerStatuses { // of some pods only the status was kept
		names = append(names, status.Name)
	}
	for _, name := range names {
		ended := terminated(p.Status.InitContainerStatuses, name)
		if ended != nil && ended.ExitCode != 0 && !p.isSidecar(name) {
			return name, ended
		}
	}
	return "", nil
}
