import { Money } from '#machinery/web/components/parts.tsx'
import type { Format } from '#machinery/web/format.ts'

/** Shows money of several currencies, which are never added up. @param amounts minor units by currency */
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
