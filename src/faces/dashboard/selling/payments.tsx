import { isSeen } from '#faces/dashboard/frame/navigation.ts'
import type { AccountRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { findPaused, PausedNote } from '#faces/dashboard/frame/paused.tsx'
import { showPage } from '#faces/dashboard/frame/show.tsx'
import {
  Banner,
  ButtonLink,
  Facts,
  Head,
  Money,
  Pill,
  PostButton,
  Time,
} from '#machinery/web/components/parts.tsx'
import { type List, Table } from '#machinery/web/lists/list.tsx'
import { findStripe, type StripeConnection } from '#product/selling/payments/connections.ts'
import { type Bank, findBank } from '#product/selling/payments/methods.ts'
import { listOpen, type OrphanPayment } from '#product/selling/payments/orphan-payments.ts'
import { OF_STATEMENTS } from './statement-parts.tsx'

export const OF_PAYMENTS = { permission: 'payments.settings', isOfAllEvents: true } as const

/** The page shows this many payments without an order. There are few, unless many things have gone wrong. */
const MOST_ORPHANS = 200

interface Row extends OrphanPayment {
  accountId: string
}

const orphanList: List<Row> = {
  caption: texts => texts.paymentSettings.orphansCaption,
  hasLongLines: true,
  columns: [
    {
      label: texts => texts.paymentSettings.amount,
      place: 'name',
      cell: ({ amount, currency }, { format }) => <Money {...{ amount, currency, format }} />,
    },
    {
      label: texts => texts.paymentSettings.paidAt,
      place: 'when',
      cell: ({ paid_at }, { format }) => <Time at={paid_at} format={format} />,
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

function OrphanActions({ row, voice }: { row: Row; voice: AccountRequest['voice'] }) {
  const { paymentSettings: labels } = voice.texts
  const { accountId, session_id: session, amount, currency } = row
  if (row.state !== 'found') return <>{labels.orphanRefunding}</>
  const sum = voice.format.money(amount, currency)
  return (
    <div class="row">
      <ButtonLink href={paths.orphan(accountId, session, 'refund')}>{labels.refund(sum)}</ButtonLink>
      <PostButton
        action={paths.orphan(accountId, session, 'leave')}
        tone="plain"
        label={`${labels.leave}: ${session}`}
      >
        {labels.leave}
      </PostButton>
    </div>
  )
}

/** Shows how an organization takes money. */
export const paymentsPage = showPage('account', {
  ...OF_PAYMENTS,
  path: '/a/{account}/payments',
  navigation: { icon: 'card', text: texts => texts.navigation.payments },
  prepare: async (services, request) => {
    const { account } = request
    const connected = await services.db.read(account.id, async tx => ({
      stripe: await findStripe(tx),
      bank: await findBank(tx),
      orphans: await listOpen(tx, MOST_ORPHANS),
    }))
    const { allowsTest } = services.stripe
    return { ...connected, allowsTest, paused: await findPaused(services, request) }
  },
  view: ({ allowsTest, stripe, bank, orphans, paused }, request) => {
    const { account, voice } = request
    const { paymentSettings: labels } = voice.texts
    const rows = orphans.map(orphan => ({ ...orphan, accountId: account.id }))
    return {
      title: labels.title,
      body: (
        <>
          <Head title={labels.title} about={labels.about} />
          <div class="stack">
            <PausedNote since={paused} request={request} />
            {rows.length > 0 && (
              <section class="stack" aria-labelledby="orphans">
                <h2 id="orphans">{labels.orphans}</h2>
                <Banner tone="warn">{labels.orphansAbout}</Banner>
                <Table list={orphanList} rows={rows} voice={voice} />
              </section>
            )}
            {allowsTest && (
              <Banner tone="warn">
                <p>
                  <strong>{labels.rehearsal}</strong>
                </p>
                <p>{labels.rehearsalAbout}</p>
              </Banner>
            )}
            <StripePart stripe={stripe} request={request} />
            <BankPart bank={bank} request={request} />
            <DoorPart request={request} />
          </div>
        </>
      ),
    }
  },
})

function StripePart({ stripe, request }: { stripe: StripeConnection | undefined; request: AccountRequest }) {
  const { account, voice } = request
  const { paymentSettings: labels } = voice.texts
  return (
    <section class="card stack" aria-labelledby="stripe">
      <h2 id="stripe">{labels.stripe}</h2>
      {stripe === undefined ? (
        <>
          <p>{labels.stripeNone}</p>
          <div class="row">
            <ButtonLink href={paths.stripe(account.id)} main>
              {labels.connect}
            </ButtonLink>
          </div>
        </>
      ) : (
        <>
          <Trouble trouble={stripe.trouble} request={request} />
          <Facts facts={factsOf(stripe, request)} />
          <div class="row">
            <ButtonLink href={paths.stripe(account.id)}>{labels.newKey}</ButtonLink>
            <ButtonLink href={paths.stripe(account.id, 'delayed')}>{labels.delayed}</ButtonLink>
            <ButtonLink href={paths.stripe(account.id, 'disconnect')} isDestructive>
              {labels.disconnect}
            </ButtonLink>
          </div>
        </>
      )}
    </section>
  )
}

function factsOf(stripe: StripeConnection, { voice: { texts, format } }: AccountRequest) {
  const { paymentSettings: labels } = texts
  const { name, account, is_live, last_four, has_webhook, events_read_at: readAt } = stripe
  return [
    [
      labels.account,
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
      labels.mode,
      is_live ? (
        <Pill key="mode" tone="good">
          {labels.live}
        </Pill>
      ) : (
        <span key="mode">
          <Pill tone="warn">{labels.test}</Pill> {labels.testAbout}
        </span>
      ),
    ],
    // A copy without secrets has no key.
    ...(last_four === ''
      ? []
      : [[labels.key, <code key="key">{`rk_${is_live ? 'live' : 'test'}_…${last_four}`}</code>] as const]),
    [labels.news, has_webhook ? labels.webhook : labels.polled],
    [labels.lastPolled, readAt === null ? labels.notYet : <Time key="read" at={readAt} format={format} />],
    [labels.delayed, stripe.takes_delayed ? labels.delayedOn : labels.delayedOff],
  ] as const
}

function Trouble({
  trouble,
  request: { account, voice },
}: {
  trouble: string | null
  request: AccountRequest
}) {
  const { paymentSettings: labels } = voice.texts
  if (trouble === 'denied')
    return (
      <Banner tone="bad">
        <p>{labels.denied}</p>
        <p>{labels.deniedAbout}</p>
      </Banner>
    )
  if (trouble === 'no_key')
    return (
      <Banner tone="bad">
        <p>{labels.keyMissing}</p>
        <p>{labels.keyMissingAbout}</p>
      </Banner>
    )
  if (trouble !== 'events_missed') return null
  const seen = <PostButton action={paths.stripe(account.id, 'seen')}>{labels.missedSeen}</PostButton>
  return (
    <Banner tone="warn" action={seen}>
      {labels.missed}
    </Banner>
  )
}

/** Says that money at the door needs no setting up here, because each event chooses it. */
function DoorPart({ request: { voice } }: { request: AccountRequest }) {
  const { paymentSettings: labels, payment } = voice.texts
  return (
    <section class="card stack" aria-labelledby="door">
      <h2 id="door">{payment.names.door}</h2>
      <p>{labels.doorAbout}</p>
    </section>
  )
}

function BankPart({ bank, request }: { bank: Bank | undefined; request: AccountRequest }) {
  const { account, voice } = request
  const { paymentSettings: labels } = voice.texts
  return (
    <section class="card stack" aria-labelledby="bank">
      <h2 id="bank">{labels.bank}</h2>
      {bank === undefined ? (
        <>
          <p>{labels.bankNone}</p>
          <div class="row">
            <ButtonLink href={paths.bank(account.id)}>{labels.addBank}</ButtonLink>
          </div>
        </>
      ) : (
        <>
          <Facts
            facts={(
              [
                [labels.holder, bank.holder],
                [labels.iban, bank.account],
                [labels.bic, bank.code],
                [labels.bankNote, bank.note],
              ] as const
            )
              .filter(([, value]) => value !== null)
              .map(([label, value]) => [label, <bdi key={label}>{value}</bdi>] as const)}
          />
          <div class="row">
            <ButtonLink href={paths.bank(account.id)}>{labels.editBank}</ButtonLink>
            {isSeen(OF_STATEMENTS, request) && (
              <ButtonLink href={paths.statements(account.id)}>{voice.texts.statements.title}</ButtonLink>
            )}
            <ButtonLink href={paths.bank(account.id, 'remove')} isDestructive>
              {labels.removeBank}
            </ButtonLink>
          </div>
        </>
      )}
    </section>
  )
}
