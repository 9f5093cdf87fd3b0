import type { Party, ReceiptText } from './receipt-text.ts'

/** A receipt with more lines is printed in smaller letters, so that it fits on one page. */
const MANY = 10

/** Shows a receipt as it is printed: on one page, in its own language. */
export function ReceiptPaper({ text }: { text: ReceiptText }) {
  const { columns, lines, rates, total } = text
  return (
    <article
      class={lines.length > MANY ? 'receipt many' : 'receipt'}
      lang={text.language}
      aria-labelledby="receipt"
    >
      <header>
        <PartyOf party={text.seller} />
        <h1 id="receipt">
          {text.kind} <span class="number">{text.number}</span>
        </h1>
      </header>
      <div class="parties">
        <PartyOf party={text.buyer} />
        <dl>
          {text.facts.map(({ label, value }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>
                <bdi>{value}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      </div>
      <table class="lines">
        <caption class="hidden">{columns.name}</caption>
        <thead>
          <tr>
            <th scope="col">{columns.name}</th>
            <th scope="col">{columns.quantity}</th>
            <th scope="col">{columns.price}</th>
            <th scope="col">{columns.rate}</th>
            <th scope="col">{columns.amount}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line, at) => (
            <tr key={`${at} ${line.name}`}>
              <th scope="row">
                <bdi>{line.name}</bdi>
                {line.note !== null && <span class="note">{line.note}</span>}
                {/* It stands in for two columns that a telephone has no room for. */}
                {line.price !== '' && (
                  <span class="note compact">{[line.price, line.rate].filter(Boolean).join(', ')}</span>
                )}
              </th>
              <td>{line.quantity}</td>
              <td>{line.price}</td>
              <td>{line.rate}</td>
              <td>{line.amount}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="total">
        {total.label} <span>{total.value}</span>
      </p>
      {rates !== null && (
        <table class="rates">
          <caption class="hidden">{rates.columns[2]}</caption>
          <thead>
            <tr>
              {rates.columns.map(column => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rates.rows.map(([rate, ...amounts]) => (
              <tr key={rate}>
                <th scope="row">{rate}</th>
                {amounts.map((amount, at) => (
                  <td key={`${at} ${amount}`}>{amount}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {text.notes.map(note => (
        <p key={note} class="note">
          <bdi>{note}</bdi>
        </p>
      ))}
    </article>
  )
}

function PartyOf({ party: { label, lines } }: { party: Party }) {
  const [first, ...others] = lines
  return (
    <div class="party">
      <div class="label">{label}</div>
      <div class="name">
        <bdi>{first}</bdi>
      </div>
      {others.map((line, at) => (
        <div key={`${at} ${line}`}>
          <bdi>{line}</bdi>
        </div>
      ))}
    </div>
  )
}
