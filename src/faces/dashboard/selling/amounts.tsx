import { Money } from '../web/components/parts.tsx'
import type { Format } from '../web/format.ts'

/** Money of several currencies, which are never added up. @param amounts minor units */
export function Amounts({ amounts, format }: { amounts: Readonly<Record<string, number>>; format: Format }) {
  return (
    <>
      {Object.entries(amounts).map(([currency, amount], at) => (
        <>
          {at > 0 && ' + '}
          <Money amount={amount} currency={currency} format={format} />
        </>
      ))}
    </>
  )
}
