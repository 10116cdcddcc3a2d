"""Exit-code tables of Kubeflow training jobs, as tfjob-webhook writes them.

For controllers: read the table of a pod and decide by it whether the pod is worth another try.

    decision = exit_codes.decide(pod, "tensorflow", job_annotations=job["metadata"]["annotations"])

For training code: end with the code that asks for a retry where the cause lies elsewhere.

    with exit_codes.retryable_exit("grpc.RpcError:UNAVAILABLE", exit_codes.TENSORFLOW):
        train()

The standard library is all that it needs. The contract is docs/annotation-contract.md; this passes
all vectors of conformance/vectors.json. Values are immutable and may be shared by threads.
"""

from ._decision import Decision, PodError, decide
from ._inputs import (
    BUILT_IN_PROFILES,
    MAX_RETRIES_ANNOTATION,
    PERMANENT_ANNOTATION,
    PROFILE_ANNOTATION,
    RETRYABLE_ANNOTATION,
    InputError,
    make_profiles,
    make_table,
    parse_codes,
    parse_max_retries,
)
from ._table import (
    DEFAULT_TABLE,
    TABLE_ANNOTATION,
    DecodeError,
    Table,
    decode,
    encode,
    is_retryable_exit_code,
    read_table,
)
from ._training import GRPC, RETRY_CODE, TENSORFLOW, TORCH, Matching, permanent_exit, retryable_exit

__all__ = [
    "BUILT_IN_PROFILES",
    "DEFAULT_TABLE",
    "GRPC",
    "MAX_RETRIES_ANNOTATION",
    "PERMANENT_ANNOTATION",
    "PROFILE_ANNOTATION",
    "RETRYABLE_ANNOTATION",
    "RETRY_CODE",
    "TABLE_ANNOTATION",
    "TENSORFLOW",
    "TORCH",
    "Decision",
    "DecodeError",
    "InputError",
    "Matching",
    "PodError",
    "Table",
    "decide",
    "decode",
    "encode",
    "is_retryable_exit_code",
    "make_profiles",
    "make_table",
    "parse_codes",
    "parse_max_retries",
    "permanent_exit",
    "read_table",
    "retryable_exit",
]
