import type { ReadTx } from '../../db/port.ts'
import * as jobs from '../../jobs/rules.ts'
import type { Job } from '../../jobs/schemas.ts'
import { Banner, ButtonLink, Head, Live, Pill, PostButton, Progress } from '../../web/components/parts.tsx'
import { timeField } from '../../web/forms/field.ts'
import { Form } from '../../web/forms/form-view.tsx'
import { withQuery } from '../../web/link.ts'
import { countFailedSince, getRetry, retryFailed } from '../../webhooks/retry-all.ts'
import type { EndpointDetails } from '../../webhooks/schemas.ts'
import { actorOf, type OfAccount, type Services } from '../asked.ts'
import { button } from '../button.ts'
import { formPage } from '../form-page.ts'
import { isOfStarter, tellCode } from '../job-kinds.ts'
import { paths } from '../paths.ts'
import { showPage } from '../show.tsx'
import { COUNTED_TO, entryOn, loadEndpoint, OF_WEBHOOKS, shownCount } from '../webhook-parts.tsx'
import { WebhookLink } from './webhook-form.tsx'

const PATH = '/a/{account}/webhooks/{endpoint}'
/** How often the progress is looked at again, in seconds. */
const EVERY = 2

const idOf = ({ params }: OfAccount) => params.endpoint ?? ''

const sinceFields = {
  since: timeField({ label: texts => texts.webhooks.since, help: texts => texts.webhooks.sinceHelp }),
}

/** Asks since when. It changes nothing: it leads to the page that says how many these are. */
export const retryFailedForm = formPage('account', {
  ...OF_WEBHOOKS,
  path: `${PATH}/retry`,
  load: loadEndpoint,
  fields: () => sinceFields,
  initial: ({ failing_since: since }) => ({ since: since === null ? null : Date.parse(since) }),
  view: (endpoint, { account, voice: { texts, format } }, state) => {
    const leave = paths.webhook(account.id, endpoint.id)
    return {
      title: texts.webhooks.retryTitle,
      body: (
        <>
          <Head
            title={texts.webhooks.retryTitle}
            crumbs={<WebhookLink href={leave} url={endpoint.url} />}
            about={`${texts.webhooks.retryAbout} ${texts.page.timesIn(format.timezone)}`}
          />
          <Form
            // It may well be sent twice, with another instant.
            state={{ ...state, formId: undefined }}
            texts={texts}
            action={paths.ofWebhook(account.id, endpoint.id, 'retry')}
            submit={texts.webhooks.goOn}
            leave={leave}
            isGuarded={false}
          />
        </>
      ),
    }
  },
  act: async (_, __, { values }) => values.since,
  entry: asked => ({ ...entryOn('webhook.retry', asked), hasChanged: () => false }),
  next: (since, asked) => ({ path: confirmPath(asked, since) }),
})

/** @param since milliseconds; null for all */
function confirmPath(asked: OfAccount, since: number | null): string {
  const path = paths.ofWebhook(asked.account.id, idOf(asked), 'retry/confirm')
  return withQuery(path, { since: since === null ? undefined : String(since) })
}

interface Failed {
  endpoint: EndpointDetails
  since: number | null
  /** Counted no further than one more than is shown. */
  count: number
}

async function loadFailed(tx: ReadTx, asked: OfAccount, services: Services): Promise<Failed> {
  const endpoint = await loadEndpoint(tx, asked, services)
  const text = asked.query.get('since') ?? ''
  const since = /^\d{1,15}$/.test(text) ? Number(text) : null
  const count = await countFailedSince(tx, asked.account.id, endpoint.id, since ?? 0, COUNTED_TO + 1)
  return { endpoint, since, count }
}

export const confirmRetry = formPage('account', {
  ...OF_WEBHOOKS,
  path: `${PATH}/retry/confirm`,
  load: loadFailed,
  fields: () => ({}),
  seen: ({ count }) => String(count),
  view: ({ endpoint, since, count }, asked, state) => {
    const { account, voice } = asked
    const { texts, format } = voice
    const leave = paths.webhook(account.id, endpoint.id)
    const back = paths.ofWebhook(account.id, endpoint.id, 'retry')
    return {
      title: texts.webhooks.retryTitle,
      body: (
        <>
          <Head title={texts.webhooks.retryTitle} crumbs={<WebhookLink href={leave} url={endpoint.url} />} />
          {count === 0 ? (
            <div class="card stack">
              <p>{since === null ? texts.webhooks.retryNoneAll : texts.webhooks.retryNone}</p>
              <ButtonLink href={back}>{texts.page.back}</ButtonLink>
            </div>
          ) : (
            <div class="card">
              <Form
                state={state}
                texts={texts}
                action={confirmPath(asked, since)}
                submit={texts.webhooks.retrySubmit(shownCount(count, voice), count)}
                leave={leave}
              >
                <ul class="will">
                  {since !== null && <li>{texts.webhooks.retrySince(format.dateTime(since))}</li>}
                  <li>{texts.webhooks.retryOnce}</li>
                </ul>
              </Form>
            </div>
          )}
        </>
      ),
    }
  },
  act: (tx, asked, { loaded: { endpoint, since, count } }) => {
    const total = count > COUNTED_TO ? null : count
    return retryFailed(tx, asked.account.id, endpoint.id, {
      since: since ?? 0,
      total,
      by: actorOf(asked).who,
    })
  },
  entry: asked => ({ ...entryOn('webhook.retry', asked), details: (_, job) => ({ job: job?.id }) }),
  next: ({ id }, asked) => ({ path: paths.webhookRetry(asked.account.id, idOf(asked), id) }),
})

const isUnderWay = ({ state }: Job) => state === 'waiting' || state === 'running'
const tones = { preparing: 'warn', waiting: 'warn', running: 'warn', done: 'good', failed: 'bad' } as const

export const retryProgress = showPage('account', {
  ...OF_WEBHOOKS,
  path: `${PATH}/retries/{retry}`,
  load: async (tx, asked, services) => ({
    endpoint: await loadEndpoint(tx, asked, services),
    job: await getRetry(tx, asked.account.id, idOf(asked), asked.params.retry ?? ''),
  }),
  view: ({ endpoint, job }, { account, voice: { texts } }) => {
    const { webhooks: said } = texts
    const leave = paths.webhook(account.id, endpoint.id)
    const every = isUnderWay(job) ? EVERY : undefined
    const tone = job.state === 'stopped' ? 'off' : tones[job.state]
    return {
      title: said.retrying,
      refresh: every,
      body: (
        <>
          <Head title={said.retrying} crumbs={<WebhookLink href={leave} url={endpoint.url} />} />
          <Live id="progress" every={every}>
            <div class="card stack">
              <Pill tone={tone}>{said.retryState[job.state]}</Pill>
              {every !== undefined && <Progress label={said.retrying} done={job.done} total={job.total} />}
              {job.done > 0 && <p>{said.retryDone(job.done)}</p>}
              {job.state === 'failed' && (
                <Banner tone="bad">
                  <p>{isOfStarter(job) ? tellCode(job, texts) : said.retryBroken}</p>
                </Banner>
              )}
              <div class="row">
                {every !== undefined && (
                  <PostButton action={paths.stopWebhookRetry(account.id, endpoint.id, job.id)}>
                    {said.stop}
                  </PostButton>
                )}
                <ButtonLink href={leave}>{texts.page.back}</ButtonLink>
              </div>
            </div>
          </Live>
        </>
      ),
    }
  },
})

const retryPath = ({ account, params }: OfAccount) =>
  paths.webhookRetry(account.id, params.endpoint ?? '', params.retry ?? '')

export const stopRetry = button('account', {
  ...OF_WEBHOOKS,
  path: `${PATH}/retries/{retry}/stop`,
  act: async (tx, asked) => {
    const { id } = await getRetry(tx, asked.account.id, idOf(asked), asked.params.retry ?? '')
    return jobs.stop(tx, asked.account.id, id)
  },
  entry: asked => ({
    ...entryOn('webhook.retry_stop', asked),
    details: () => ({ job: asked.params.retry }),
  }),
  next: (_, asked) => ({ path: retryPath(asked) }),
  back: retryPath,
})
