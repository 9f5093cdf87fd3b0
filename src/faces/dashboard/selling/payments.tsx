import { findStripe, type StripeConnection } from '../../payments/connections.ts'
import { listOpen, type Orphan } from '../../payments/orphans.ts'
import { type Bank, findBank } from '../../payments/ways.ts'
import {
  Banner,
  ButtonLink,
  Facts,
  Head,
  Money,
  Pill,
  PostButton,
  Time,
} from '../../web/components/parts.tsx'
import { type List, Table } from '../../web/lists/list.tsx'
import type { OfAccount } from '../asked.ts'
import { paths } from '../paths.ts'
import { showPage } from '../show.tsx'

export const OF_PAYMENTS = { permission: 'payments.settings', isOfAllEvents: true } as const

/** Of payments without an order, those that a page shows: they are few, or many have gone wrong. */
const MOST_ORPHANS = 200

interface Row extends Orphan {
  accountId: string
}

const orphanList: List<Row> = {
  caption: texts => texts.paymentSettings.orphansCaption,
  columns: [
    {
      label: texts => texts.paymentSettings.paidAt,
      place: 'name',
      cell: ({ paid_at }, { format }) => <Time at={paid_at} format={format} />,
    },
    {
      label: texts => texts.paymentSettings.amount,
      place: 'line',
      isNumber: true,
      cell: ({ amount, currency }, { format }) => <Money {...{ amount, currency, format }} />,
    },
    {
      label: texts => texts.paymentSettings.session,
      place: 'wide',
      cell: ({ session_id }) => (
        <code>
          <bdi>{session_id}</bdi>
        </code>
      ),
    },
    {
      label: texts => texts.paymentSettings.orphanTodo,
      place: 'line',
      cell: (row, voice) => <OrphanActions row={row} voice={voice} />,
    },
  ],
}

function OrphanActions({ row, voice }: { row: Row; voice: OfAccount['voice'] }) {
  const { paymentSettings: said } = voice.texts
  const { accountId, session_id: session, amount, currency } = row
  if (row.state !== 'found') return <>{said.orphanRefunding}</>
  const sum = voice.format.money(amount, currency)
  return (
    <div class="row">
      <ButtonLink href={paths.orphan(accountId, session, 'refund')}>{said.refund(sum)}</ButtonLink>
      <PostButton
        action={paths.orphan(accountId, session, 'leave')}
        tone="plain"
        label={`${said.leave}: ${session}`}
      >
        {said.leave}
      </PostButton>
    </div>
  )
}

/** How an organization takes money. */
export const paymentsPage = showPage('account', {
  ...OF_PAYMENTS,
  path: '/a/{account}/payments',
  navigation: { icon: 'card', text: texts => texts.navigation.payments },
  load: async (tx, { account }, { stripe: { allowsTest } }) => ({
    allowsTest,
    stripe: await findStripe(tx, account.id),
    bank: await findBank(tx, account.id),
    orphans: await listOpen(tx, account.id, MOST_ORPHANS),
  }),
  view: ({ allowsTest, stripe, bank, orphans }, asked) => {
    const { account, voice } = asked
    const { paymentSettings: said } = voice.texts
    const rows = orphans.map(orphan => ({ ...orphan, accountId: account.id }))
    return {
      title: said.title,
      body: (
        <>
          <Head title={said.title} about={said.about} />
          <div class="stack">
            {rows.length > 0 && (
              <section class="stack" aria-labelledby="orphans">
                <h2 id="orphans">{said.orphans}</h2>
                <Banner tone="warn">{said.orphansAbout}</Banner>
                <Table list={orphanList} rows={rows} voice={voice} />
              </section>
            )}
            {allowsTest && (
              <Banner tone="warn">
                <p>
                  <strong>{said.rehearsal}</strong>
                </p>
                <p>{said.rehearsalAbout}</p>
              </Banner>
            )}
            <StripePart stripe={stripe} asked={asked} />
            <BankPart bank={bank} asked={asked} />
          </div>
        </>
      ),
    }
  },
})

function StripePart({ stripe, asked }: { stripe: StripeConnection | undefined; asked: OfAccount }) {
  const { account, voice } = asked
  const { paymentSettings: said } = voice.texts
  return (
    <section class="card stack" aria-labelledby="stripe">
      <h2 id="stripe">{said.stripe}</h2>
      {stripe === undefined ? (
        <>
          <p>{said.stripeNone}</p>
          <div class="row">
            <ButtonLink href={paths.stripe(account.id)} main>
              {said.connect}
            </ButtonLink>
          </div>
        </>
      ) : (
        <>
          <Trouble trouble={stripe.trouble} asked={asked} />
          <Facts facts={factsOf(stripe, asked)} />
          <div class="row">
            <ButtonLink href={paths.stripe(account.id)}>{said.newKey}</ButtonLink>
            <ButtonLink href={paths.stripe(account.id, 'disconnect')}>{said.disconnect}</ButtonLink>
          </div>
        </>
      )}
    </section>
  )
}

function factsOf(stripe: StripeConnection, { voice: { texts, format } }: OfAccount) {
  const { paymentSettings: said } = texts
  const { name, account, is_live, last_four, has_webhook, events_read_at: readAt } = stripe
  return [
    [
      said.account,
      <span key="account">
        {name !== null && (
          <>
            <bdi>{name}</bdi>{' '}
          </>
        )}
        <code>{account}</code>
      </span>,
    ],
    [
      said.mode,
      is_live ? (
        <Pill key="mode" tone="good">
          {said.live}
        </Pill>
      ) : (
        <span key="mode">
          <Pill tone="warn">{said.test}</Pill> {said.testAbout}
        </span>
      ),
    ],
    [said.key, <code key="key">{`rk_${is_live ? 'live' : 'test'}_…${last_four}`}</code>],
    [said.news, has_webhook ? said.webhook : said.asked],
    [said.lastAsked, readAt === null ? said.notYet : <Time key="read" at={readAt} format={format} />],
  ] as const
}

function Trouble({ trouble, asked: { account, voice } }: { trouble: string | null; asked: OfAccount }) {
  const { paymentSettings: said } = voice.texts
  if (trouble === 'denied')
    return (
      <Banner tone="bad">
        <p>{said.denied}</p>
        <p>{said.deniedAbout}</p>
      </Banner>
    )
  if (trouble !== 'events_missed') return null
  const seen = <PostButton action={paths.stripe(account.id, 'seen')}>{said.missedSeen}</PostButton>
  return (
    <Banner tone="warn" action={seen}>
      {said.missed}
    </Banner>
  )
}

function BankPart({ bank, asked: { account, voice } }: { bank: Bank | undefined; asked: OfAccount }) {
  const { paymentSettings: said } = voice.texts
  return (
    <section class="card stack" aria-labelledby="bank">
      <h2 id="bank">{said.bank}</h2>
      {bank === undefined ? (
        <>
          <p>{said.bankNone}</p>
          <div class="row">
            <ButtonLink href={paths.bank(account.id)}>{said.addBank}</ButtonLink>
          </div>
        </>
      ) : (
        <>
          <Facts
            facts={(
              [
                [said.holder, bank.holder],
                [said.iban, bank.account],
                [said.bic, bank.code],
                [said.bankNote, bank.note],
              ] as const
            )
              .filter(([, value]) => value !== null)
              .map(([label, value]) => [label, <bdi key={label}>{value}</bdi>] as const)}
          />
          <div class="row">
            <ButtonLink href={paths.bank(account.id)}>{said.editBank}</ButtonLink>
            <ButtonLink href={paths.bank(account.id, 'remove')}>{said.removeBank}</ButtonLink>
          </div>
        </>
      )}
    </section>
  )
}
