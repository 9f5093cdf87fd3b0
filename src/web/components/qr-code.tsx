import { encode } from 'uqr'

/** Modules of light around it: what readers need (ISO/IEC 18004). */
const QUIET_ZONE = 4

interface QrCodeProps {
  text: string
  label: string
  /** At Q a quarter of it may be lost, as on a creased ticket. */
  level?: 'L' | 'M' | 'Q'
}

/** A QR code, dark on light whatever the theme, as readers take it. */
export function QrCode({ text, label, level = 'L' }: QrCodeProps) {
  const { data, size } = encode(text, { border: QUIET_ZONE, ecc: level })
  const path = data
    .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join('')
  return (
    <svg
      class="qr"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shape-rendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}
