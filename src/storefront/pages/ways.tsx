import { type Method, methods } from '../../payments/processor.ts'
import type { Texts } from '../../web/texts/texts.ts'

/** Names the field of how somebody pays. */
export const WAY = 'pay'

/** How somebody wants to pay; undefined for what is no way. */
export function readWay(given: URLSearchParams): Method | undefined {
  return methods.find(method => method === given.get(WAY))
}

interface WaysProps {
  ways: readonly Method[]
  /** What was chosen before. */
  chosen: string | null
  legend: string
  texts: Texts
}

/** The choice of how to pay; one alone is said, and not asked for. */
export function Ways({ ways, chosen, legend, texts }: WaysProps) {
  const [first] = ways
  if (first === undefined) return null
  const { names, about } = texts.payment
  if (ways.length === 1) {
    return (
      <p class="way">
        <input type="hidden" name={WAY} value={first} />
        {legend} <span class="strong">{names[first]}.</span> <span class="small quiet">{about[first]}</span>
      </p>
    )
  }
  const selected = ways.find(way => way === chosen) ?? first
  return (
    <fieldset class="card choices">
      <legend>{legend}</legend>
      {ways.map(way => (
        <label key={way} class="choice">
          <input type="radio" name={WAY} value={way} checked={way === selected} required />
          <span>
            {names[way]} <span class="small quiet">{about[way]}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
