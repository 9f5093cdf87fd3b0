import { Problem } from '#base/problem.ts'
import { button } from '#faces/dashboard/frame/button.ts'
import type { AccountRequest, Services } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { showPage } from '#faces/dashboard/frame/show.tsx'
import type { ReadTx } from '#machinery/db/port.ts'
import {
  CopyButton,
  Facts,
  Head,
  Live,
  NamedLink,
  PostButton,
  Preformatted,
  Time,
} from '#machinery/web/components/parts.tsx'
import { flash } from '#machinery/web/flash.ts'
import type { Voice } from '#machinery/web/voice.ts'
import * as deliveries from '#product/administration/webhooks/deliveries.ts'
import type { Attempt, DeliveryRequest, EndpointDetails } from '#product/administration/webhooks/schemas.ts'
import { DeliveryState, describeAttempt, loadEndpoint, nameOfType, OF_WEBHOOKS } from './webhook-parts.tsx'

const PATH = '/a/{account}/webhooks/{endpoint}/deliveries/{delivery}'
/** The page looks again this often, in seconds. */
const EVERY = 3
/** The most characters of a body that the page shows. */
const MAX_SHOWN = 50_000

type DeliveryDetails = Awaited<ReturnType<typeof deliveries.getDelivery>>

interface Loaded {
  endpoint: EndpointDetails
  delivery: DeliveryDetails
}

async function load(tx: ReadTx, request: AccountRequest, services: Services): Promise<Loaded> {
  const endpoint = await loadEndpoint(tx, request, services)
  return { endpoint, delivery: await loadDelivery(tx, request) }
}

/** @throws Problem not_found, also for a delivery to another webhook */
async function loadDelivery(tx: ReadTx, { params }: AccountRequest): Promise<DeliveryDetails> {
  const delivery = await deliveries.getDelivery(tx, params.delivery ?? '')
  if (delivery.endpoint_id !== params.endpoint) throw new Problem('not_found')
  return delivery
}

export const deliveryPage = showPage('account', {
  ...OF_WEBHOOKS,
  path: PATH,
  load,
  view: ({ endpoint, delivery }, request) => {
    const { account, voice } = request
    const { webhooks: texts } = voice.texts
    const title = nameOfType(delivery.type, voice)
    return {
      title,
      body: (
        <div class="stack">
          <Head
            crumbs={<NamedLink href={paths.webhook(account.id, endpoint.id)} name={endpoint.url} />}
            title={title}
            actions={
              endpoint.enabled && (
                <PostButton
                  action={paths.retryDelivery(account.id, endpoint.id, delivery.id)}
                  tone={delivery.status === 'succeeded' ? undefined : 'main'}
                >
                  {texts.retry}
                </PostButton>
              )
            }
          />
          <div class="two even">
            <Live id="delivery" every={EVERY}>
              <State endpoint={endpoint} delivery={delivery} voice={voice} />
              <Attempts attempts={delivery.attempt_log} isPing={delivery.type === 'ping'} voice={voice} />
            </Live>
            <Request request={delivery.request} voice={voice} />
          </div>
        </div>
      ),
    }
  },
})

function State({ endpoint, delivery, voice }: Loaded & { voice: Voice }) {
  const { texts, format } = voice
  const { status, type, event_id, created_at, next_attempt_at: next } = delivery
  const comes =
    next === null ? (
      texts.webhooks.noNext
    ) : endpoint.enabled ? (
      <Time at={next} format={format} />
    ) : (
      texts.webhooks.pendingDisabled
    )
  return (
    <section class="card" aria-labelledby="state">
      <h2 id="state">{texts.webhooks.delivery}</h2>
      <Facts
        facts={[
          [texts.webhooks.state, <DeliveryState key="state" status={status} texts={texts} />],
          [texts.webhooks.next, comes],
          [texts.webhooks.made, <Time key="made" at={created_at} format={format} />],
          [texts.webhooks.kind, <code key="type">{type}</code>],
          [texts.webhooks.eventId, <code key="id">{event_id}</code>],
        ]}
      />
    </section>
  )
}

interface AttemptsProps {
  attempts: readonly Attempt[]
  /** A ping is tried once. */
  isPing: boolean
  voice: Voice
}

function Attempts({ attempts, isPing, voice }: AttemptsProps) {
  const { webhooks: texts } = voice.texts
  return (
    <section class="card" aria-labelledby="attempts">
      <h2 id="attempts">{texts.attempts}</h2>
      {attempts.length === 0 && <p class="quiet">{texts.noAttempts}</p>}
      <ol class="timeline">
        {attempts.toReversed().map(attempt => (
          <AttemptItem
            key={`${attempt.at} ${attempt.number}`}
            attempt={attempt}
            isPing={isPing}
            voice={voice}
          />
        ))}
      </ol>
    </section>
  )
}

function AttemptItem({ attempt, isPing, voice }: Omit<AttemptsProps, 'attempts'> & { attempt: Attempt }) {
  const { texts, format } = voice
  const { number, at, duration_ms, status_code: status, error, response } = attempt
  const isGood = error === null && status !== null && status >= 200 && status < 300
  return (
    <li class={isGood ? 'good' : 'bad'}>
      <b>{describeAttempt(attempt, voice)}</b>
      <span class="small quiet">
        {number === null
          ? texts.webhooks.byHand
          : isPing
            ? texts.webhooks.onlyAttempt
            : texts.webhooks.attempt(number)}
        {' · '}
        <Time at={at} format={format} />
        {' · '}
        {texts.webhooks.took(format.number(duration_ms))}
      </span>
      {response !== null && response !== '' && (
        <>
          <span class="small quiet">{texts.webhooks.firstOfAnswer}</span>
          <Preformatted text={response} />
        </>
      )}
    </li>
  )
}

function Request({ request: { headers, body }, voice }: { request: DeliveryRequest; voice: Voice }) {
  const { texts } = voice
  const head = Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
  const shown = prettify(body)
  return (
    <section class="card stack" aria-labelledby="sent">
      <h2 id="sent">{texts.webhooks.sent}</h2>
      <div>
        <div class="row spread">
          <h3>{texts.webhooks.headers}</h3>
          <CopyButton text={head} label={texts.webhooks.copyHeaders} texts={texts} />
        </div>
        <Preformatted text={head} />
      </div>
      <div>
        <div class="row spread">
          <h3>{texts.webhooks.body}</h3>
          <CopyButton text={body} label={texts.webhooks.copyBody} texts={texts} />
        </div>
        <Preformatted text={shown.slice(0, MAX_SHOWN)} />
        {shown.length > MAX_SHOWN && <p class="help">{texts.webhooks.bodyCut}</p>}
      </div>
    </section>
  )
}

function prettify(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

const backTo = ({ account, params }: AccountRequest) =>
  paths.delivery(account.id, params.endpoint ?? '', params.delivery ?? '')

export const retryDelivery = button('account', {
  ...OF_WEBHOOKS,
  path: `${PATH}/retry`,
  act: async (tx, request) => deliveries.retryDelivery(tx, (await loadDelivery(tx, request)).id),
  entry: ({ params }) => ({
    action: 'delivery.retry',
    targetType: 'webhook_delivery',
    targetId: params.delivery,
  }),
  next: (_, request) => ({ path: backTo(request), flash: flash('deliveryRetried', {}) }),
  back: backTo,
})
