import type { QrLevel } from '../qr-code.ts'
import { keptQrPng, qrPng } from '../qr-picture.ts'

interface QrCodeProps {
  text: string
  label: string
  level?: QrLevel
  /** True if its picture is kept for the next look. */
  isKept?: boolean
}

/**
 * Shows a QR code. It is dark on light in any theme, because readers need that. It is a picture: a path of a ticket's code is
 * five times as long, however its modules are joined, and an order has dozens.
 */
export function QrCode({ text, label, level = 'L', isKept = false }: QrCodeProps) {
  const picture = (isKept ? keptQrPng : qrPng)(text, level)
  return (
    <svg class="qr" viewBox="0 0 100 100" role="img" aria-label={label}>
      <image
        href={`data:image/png;base64,${picture.toString('base64')}`}
        width={100}
        height={100}
        image-rendering="pixelated"
      />
    </svg>
  )
}
