import { Banner } from '#machinery/web/components/parts.tsx'
import type { PaymentMethods } from '#product/selling/payments/methods.ts'
import { type Method, methods } from '#product/selling/payments/processor.ts'
import type { Texts } from '#texts/texts.ts'

/** The name of the field for the payment method. */
export const METHOD = 'pay'

/** Returns the chosen payment method, or undefined if the value is not a method. */
export function readMethod(given: URLSearchParams): Method | undefined {
  return methods.find(method => method === given.get(METHOD))
}

interface MethodProps {
  methods: PaymentMethods
  /** The method that was chosen before. */
  chosen: string | null
  legend: string
  /** Until when a transfer can be paid, where that is not said elsewhere on the page. */
  transferUntil?: string | undefined
  texts: Texts
}

/**
 * Shows the choice of the payment method. A single method is stated without a choice. Methods that are paused follow in a note.
 */
export function MethodChoice({ methods: { offered, paused }, ...props }: MethodProps) {
  const { names, otherPaused } = props.texts.payment
  return (
    <>
      <Choice {...props} choices={offered} />
      {offered.length > 0 && paused.length > 0 && (
        <p class="way small quiet">{otherPaused(paused.map(method => names[method]).join(', '))}</p>
      )}
    </>
  )
}

/** Says that nobody can pay just now, if all methods are paused. */
export function PausedNote({
  methods: { offered, paused },
  texts,
  isOrdered = false,
}: Pick<MethodProps, 'methods' | 'texts'> & { isOrdered?: boolean }) {
  if (offered.length > 0 || paused.length === 0) return null
  return (
    <Banner tone="warn">
      <p role="status">{isOrdered ? texts.payment.orderPaused : texts.payment.allPaused}</p>
    </Banner>
  )
}

function Choice({
  choices,
  chosen,
  legend,
  transferUntil,
  texts,
}: Omit<MethodProps, 'methods'> & { choices: readonly Method[] }) {
  const [first] = choices
  if (first === undefined) return null
  const { names } = texts.payment
  const aboutOf = (method: Method) =>
    method === 'transfer' && transferUntil !== undefined
      ? texts.payment.transferUntil(transferUntil)
      : texts.payment.about[method]
  if (choices.length === 1) {
    return (
      <p class="way">
        <input type="hidden" name={METHOD} value={first} />
        {legend} <span class="strong">{names[first]}.</span> <span class="small quiet">{aboutOf(first)}</span>
      </p>
    )
  }
  const selected = choices.find(method => method === chosen) ?? first
  return (
    <fieldset class="card choices">
      <legend>{legend}</legend>
      {choices.map(method => (
        <label key={method} class="choice">
          <input type="radio" name={METHOD} value={method} checked={method === selected} required />
          <span>
            <span class="strong">{names[method]}</span> <span class="small quiet">{aboutOf(method)}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
