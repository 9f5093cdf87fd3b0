<?php
const TOLERANCE = 300;

/** Whether $header, the SVC-Signature, is right for $body, the bytes as they were received. */
function is_genuine(string $secret, string $header, string $body, ?int $now = null): bool
{
    $t = '';
    $signatures = [];
    foreach (explode(',', $header) as $part) {
        [$name, $value] = explode('=', $part, 2) + ['', ''];
        if ($name === 't') {
            $t = $value;
        } elseif ($name === 'v1') {
            $signatures[] = $value;
        }
    }
    if (!preg_match('/\A[0-9]{1,12}\z/', $t) || abs(($now ?? time()) - (int) $t) > TOLERANCE) {
        return false;
    }
    $expected = hash_hmac('sha256', "$t.$body", $secret);
    foreach ($signatures as $signature) {
        if (hash_equals($expected, $signature)) {
            return true;
        }
    }
    return false;
}
