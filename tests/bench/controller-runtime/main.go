// Command controller-runtime is what most teams would write instead: a webhook for TFJobs with
// controller-runtime, the operator's own API types, its defaulting and its validation. `make bench`
// compares with it.
package main

import (
	"context"
	"flag"
	"log"
	"os/signal"
	"syscall"

	trainingoperator "github.com/kubeflow/training-operator/pkg/apis/kubeflow.org/v1"
	"github.com/kubeflow/training-operator/pkg/webhooks/tensorflow"
	"k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

const table = `{"version":1,"profile":"kubeflow","permanent":[1,2,126,127,128,139],` +
	`"retryable":[130,137,138,143],"undefined":"permanent","reasons":{"OOMKilled":"permanent"},` +
	`"disruption":"retryable","noExitCode":"retryable"}`

// defaulter sets the operator's defaults, and the annotation that our webhook sets.
type defaulter struct{}

func (defaulter) Default(_ context.Context, object runtime.Object) error {
	job := object.(*trainingoperator.TFJob)
	trainingoperator.SetDefaults_TFJob(job)
	if job.Annotations == nil {
		job.Annotations = map[string]string{}
	}
	job.Annotations["exit-codes.kubeflow.org/table"] = table
	for _, replica := range job.Spec.TFReplicaSpecs {
		if replica.RestartPolicy != trainingoperator.RestartPolicyExitCode {
			continue
		}
		if replica.Template.Annotations == nil {
			replica.Template.Annotations = map[string]string{}
		}
		replica.Template.Annotations["exit-codes.kubeflow.org/table"] = table
	}
	return nil
}

func main() {
	port := flag.Int("port", 0, "port of 127.0.0.1")
	certificates := flag.String("cert-dir", "", "folder with tls.crt and tls.key")
	flag.Parse()
	ctrl.SetLogger(zap.New())

	scheme := runtime.NewScheme()
	if err := trainingoperator.AddToScheme(scheme); err != nil {
		log.Fatal(err)
	}
	server := webhook.NewServer(webhook.Options{
		Host: "127.0.0.1", Port: *port, CertDir: *certificates,
	})
	job := &trainingoperator.TFJob{}
	server.Register("/mutate", admission.WithCustomDefaulter(scheme, job, defaulter{}))
	server.Register("/validate", admission.WithCustomValidator(scheme, job, &tensorflow.Webhook{}))
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	if err := server.Start(ctx); err != nil {
		log.Fatal(err)
	}
}
