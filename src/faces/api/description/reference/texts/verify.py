import hashlib
import hmac
import re
import time

TOLERANCE = 300


def is_genuine(secret, header, body, now=None):
    """Whether header, the SVC-Signature, is right for body, the bytes as they were received."""
    parts = [part.partition("=") for part in (header or "").split(",")]
    t = next((value for name, _, value in parts if name == "t"), "")
    if not re.fullmatch("[0-9]{1,12}", t):
        return False
    if abs((time.time() if now is None else now) - int(t)) > TOLERANCE:
        return False
    signed = t.encode() + b"." + body
    expected = hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()
    return any(
        hmac.compare_digest(value.encode(), expected.encode())
        for name, _, value in parts
        if name == "v1"
    )
