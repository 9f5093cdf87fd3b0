import type { Clock } from '#base/time.ts'
import { CERTIFICATE_NEAR } from '../instance-needs.ts'
import { type Finding, finding } from './finding.ts'

/** Tells how long a certificate is good. @param ends milliseconds */
export function lookAtEnd(ends: number, clock: Clock): Finding {
  const left = ends - clock()
  if (left <= 0) {
    return finding('error', 'certificate_ended', ({ texts, format }) =>
      texts.doctor.certificateEnded(format.dateTime(ends)),
    )
  }
  if (left < CERTIFICATE_NEAR) {
    return finding('warning', 'certificate_near', ({ texts, format }) =>
      texts.doctor.certificateNear(format.dateTime(ends)),
    )
  }
  return finding('ok', 'certificate_valid', ({ texts, format }) =>
    texts.doctor.certificateValid(format.dateTime(ends)),
  )
}
