export interface Bar {
  key: string
  value: number
  /** The text that appears when a pointer is on the bar. */
  text: string
}

const WIDTH = 600
const HEIGHT = 120
/** The part of its place that a bar takes. */
const SHARE = 0.7

/** The place of a bar in rem, where there is room for all. Its share makes the bar 3 rem wide. */
const PLACE = 4.25

/** Bars beside each other. People who cannot see them have the label, and a table beside the picture. */
export function BarChart({ bars, label }: { bars: readonly Bar[]; label: string }) {
  const most = Math.max(1, ...bars.map(({ value }) => value))
  const place = WIDTH / bars.length
  return (
    <svg
      class="chart"
      width={`${bars.length * PLACE}rem`}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {[HEIGHT - 0.5, HEIGHT / 2].map(y => (
        <line key={y} class="g" x1="0" y1={y} x2={WIDTH} y2={y} />
      ))}
      {bars.map(({ key, value, text }, at) => {
        const height = round((HEIGHT - 4) * (value / most))
        if (height === 0) return null
        const x = round(place * (at + (1 - SHARE) / 2))
        return (
          <rect key={key} class="b" x={x} y={HEIGHT - height} width={round(place * SHARE)} height={height}>
            <title>{text}</title>
          </rect>
        )
      })}
    </svg>
  )
}

function round(length: number): number {
  return Math.round(length * 10) / 10
}
