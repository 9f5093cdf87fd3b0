import type { Voice } from '#machinery/web/voice.ts'
import type { Basket } from '#product/selling/orders/basket.ts'
import type { Texts } from '#texts/texts.ts'
import { countOf } from '../order-form.ts'

/**
 * Repeats the total of several tickets below a long form, where a phone keeps it on the screen, and leads to the chosen tickets.
 */
export function Total({ basket, voice: { texts, format } }: { basket: Basket; voice: Voice }) {
  const { quantity, total, event } = basket
  const { checkout } = texts
  if (quantity === 1) return null
  return (
    <p class="total">
      <a href="#sum">
        <span>{printCount(basket, texts)}</span>{' '}
        <span class="strong">{total === 0 ? checkout.free : format.money(total, event.currency)}</span>
      </a>
    </p>
  )
}

/** Returns how many tickets somebody has chosen, and how many extras beside them. */
function printCount(basket: Basket, { checkout }: Texts): string {
  const { tickets, extras } = countOf(basket)
  return extras === 0 ? checkout.tickets(tickets) : checkout.withExtras(checkout.tickets(tickets), extras)
}

/** Returns whether several tickets have the same price, which is not free. */
function hasOnePrice(prices: Basket['lines'][number]['prices']): boolean {
  const [first, ...others] = prices
  return others.length > 0 && first?.price !== 0 && others.every(({ price }) => price === first?.price)
}

/** Shows the chosen tickets and their total. */
export function Sum({ basket, voice: { texts, format } }: { basket: Basket; voice: Voice }) {
  const { lines, total, event, code } = basket
  const { checkout } = texts
  const off = lines.flatMap(({ prices }) => prices).reduce((sum, price) => sum + price.discount, 0)
  const tax = lines.flatMap(({ prices }) => prices).reduce((sum, price) => sum + price.tax, 0)
  return (
    <table class="sum card" id="sum">
      <caption class="hidden">{printCount(basket, texts)}</caption>
      <tbody>
        {lines.map(({ type, prices }) => (
          <tr key={type.id}>
            <th scope="row" dir="auto">
              {checkout.line(prices.length, type.name)}
            </th>
            <td>
              {moneyOf(prices.reduce((sum, { price }) => sum + price, 0))}
              {hasOnePrice(prices) && (
                <div class="small quiet">{checkout.line(prices.length, moneyOf(prices[0]?.price ?? 0))}</div>
              )}
            </td>
          </tr>
        ))}
      </tbody>
      {code !== undefined && (
        <tbody>
          <tr>
            <th scope="row">
              {checkout.code} <bdi>{code.code}</bdi>
            </th>
            <td>{off > 0 && format.money(-off, event.currency)}</td>
          </tr>
        </tbody>
      )}
      <tfoot>
        <tr>
          <th scope="row">{checkout.total}</th>
          <td>
            <span class="strong">{moneyOf(total)}</span>
          </td>
        </tr>
        {tax > 0 && (
          // The note has a row of its own, so that the column of names keeps its width on a phone.
          <tr class="note">
            <td colspan={2} class="small quiet">
              {checkout.tax(format.money(tax, event.currency))}
            </td>
          </tr>
        )}
      </tfoot>
    </table>
  )

  function moneyOf(amount: number): string {
    return amount === 0 ? checkout.free : format.money(amount, event.currency)
  }
}
