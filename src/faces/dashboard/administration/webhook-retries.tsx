import { button } from '#faces/dashboard/frame/button.ts'
import { formPage } from '#faces/dashboard/frame/form-page.ts'
import { type AccountRequest, actorOf, type Services } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { showPage } from '#faces/dashboard/frame/show.tsx'
import type { ReadTx } from '#machinery/db/port.ts'
import {
  Banner,
  ButtonLink,
  Head,
  Live,
  NamedLink,
  Pill,
  PostButton,
  Progress,
} from '#machinery/web/components/parts.tsx'
import { timeField } from '#machinery/web/forms/field.ts'
import { withQuery } from '#machinery/web/link.ts'
import * as jobs from '#product/administration/jobs/rules.ts'
import type { Job } from '#product/administration/jobs/schemas.ts'
import { countFailedSince, getRetry, retryFailed } from '#product/administration/webhooks/retry-all.ts'
import type { EndpointDetails } from '#product/administration/webhooks/schemas.ts'
import { describeCode, isOfStarter } from './job-kinds.ts'
import { COUNTED_TO, entryOn, loadEndpoint, OF_WEBHOOKS, shownCount } from './webhook-parts.tsx'

const PATH = '/a/{account}/webhooks/{endpoint}'
/** The page looks at the progress this often, in seconds. */
const EVERY = 2

const idOf = ({ params }: AccountRequest) => params.endpoint ?? ''

const sinceFields = {
  since: timeField({ label: texts => texts.webhooks.since, help: texts => texts.webhooks.sinceHelp }),
}

/** Asks since when failed deliveries are repeated. It changes nothing, and leads to the page that says how many there are. */
export const retryFailedForm = formPage('account', {
  ...OF_WEBHOOKS,
  path: `${PATH}/retry`,
  load: loadEndpoint,
  fields: () => sinceFields,
  initial: ({ failing_since: since }) => ({ since: since === null ? null : Date.parse(since) }),
  parts: ({ id, url }, { account, voice: { texts, format } }) => {
    const leave = paths.webhook(account.id, id)
    return {
      title: texts.webhooks.retryTitle,
      crumbs: <NamedLink href={leave} name={url} />,
      about: `${texts.webhooks.retryAbout} ${texts.page.timesIn(format.timezone)}`,
      ...{ submit: texts.webhooks.goOn, leave, isGuarded: false, isRepeatable: true },
    }
  },
  act: async (_, __, { values }) => values.since,
  entry: request => ({ ...entryOn('webhook.retry', request), hasChanged: () => false }),
  next: (since, request) => ({ path: confirmPath(request, since) }),
})

/** @param since Unix milliseconds, or null for all */
function confirmPath(request: AccountRequest, since: number | null): string {
  const path = paths.ofWebhook(request.account.id, idOf(request), 'retry/confirm')
  return withQuery(path, { since: since === null ? undefined : String(since) })
}

interface Failed {
  endpoint: EndpointDetails
  since: number | null
  /** The number of failed deliveries. It stops at one more than the page shows. */
  count: number
}

async function loadFailed(tx: ReadTx, request: AccountRequest, services: Services): Promise<Failed> {
  const endpoint = await loadEndpoint(tx, request, services)
  const text = request.query.get('since') ?? ''
  const since = /^\d{1,15}$/.test(text) ? Number(text) : null
  const count = await countFailedSince(tx, endpoint.id, since ?? 0, COUNTED_TO + 1)
  return { endpoint, since, count }
}

export const confirmRetry = formPage('account', {
  ...OF_WEBHOOKS,
  path: `${PATH}/retry/confirm`,
  load: loadFailed,
  fields: () => ({}),
  preview: ({ count }) => String(count),
  parts: ({ endpoint: { id, url }, since, count }, request) => {
    const { account, voice } = request
    const { texts, format } = voice
    const { webhooks: labels } = texts
    const leave = paths.webhook(account.id, id)
    const nothing = (
      <div class="card stack">
        <p>{since === null ? labels.retryNoneAll : labels.retryNone}</p>
        <ButtonLink href={paths.ofWebhook(account.id, id, 'retry')}>{texts.page.back}</ButtonLink>
      </div>
    )
    return {
      title: labels.retryTitle,
      crumbs: <NamedLink href={leave} name={url} />,
      action: confirmPath(request, since),
      submit: labels.retrySubmit(shownCount(count, voice), count),
      leave,
      will: [...(since === null ? [] : [labels.retrySince(format.dateTime(since))]), labels.retryOnce],
      instead: count === 0 ? nothing : undefined,
    }
  },
  act: (tx, request, { loaded: { endpoint, since, count } }) => {
    const total = count > COUNTED_TO ? null : count
    return retryFailed(tx, endpoint.id, {
      since: since ?? 0,
      total,
      by: actorOf(request).who,
    })
  },
  entry: request => ({ ...entryOn('webhook.retry', request), details: (_, job) => ({ job: job?.id }) }),
  next: ({ id }, request) => ({ path: paths.webhookRetry(request.account.id, idOf(request), id) }),
})

const isUnderWay = ({ state }: Job) => state === 'waiting' || state === 'running'
const tones = { preparing: 'warn', waiting: 'warn', running: 'warn', done: 'good', failed: 'bad' } as const

export const retryProgress = showPage('account', {
  ...OF_WEBHOOKS,
  path: `${PATH}/retries/{retry}`,
  load: async (tx, request, services) => ({
    endpoint: await loadEndpoint(tx, request, services),
    job: await getRetry(tx, idOf(request), request.params.retry ?? ''),
  }),
  view: ({ endpoint, job }, { account, voice: { texts } }) => {
    const { webhooks: labels } = texts
    const leave = paths.webhook(account.id, endpoint.id)
    const every = isUnderWay(job) ? EVERY : undefined
    const tone = job.state === 'stopped' ? 'off' : tones[job.state]
    return {
      title: labels.retrying,
      refresh: every,
      body: (
        <>
          <Head title={labels.retrying} crumbs={<NamedLink href={leave} name={endpoint.url} />} />
          <Live id="progress" every={every}>
            <div class="card stack">
              <Pill tone={tone}>{labels.retryState[job.state]}</Pill>
              {every !== undefined && <Progress label={labels.retrying} done={job.done} total={job.total} />}
              {job.done > 0 && <p>{labels.retryDone(job.done)}</p>}
              {job.state === 'failed' && (
                <Banner tone="bad">
                  <p>{isOfStarter(job) ? describeCode(job, texts) : labels.retryBroken}</p>
                </Banner>
              )}
              <div class="row">
                {every !== undefined && (
                  <PostButton action={paths.stopWebhookRetry(account.id, endpoint.id, job.id)}>
                    {labels.stop}
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

const retryPath = ({ account, params }: AccountRequest) =>
  paths.webhookRetry(account.id, params.endpoint ?? '', params.retry ?? '')

export const stopRetry = button('account', {
  ...OF_WEBHOOKS,
  path: `${PATH}/retries/{retry}/stop`,
  act: async (tx, request) => {
    const { id } = await getRetry(tx, idOf(request), request.params.retry ?? '')
    return jobs.stop(tx, id)
  },
  entry: request => ({
    ...entryOn('webhook.retry_stop', request),
    details: () => ({ job: request.params.retry }),
  }),
  next: (_, request) => ({ path: retryPath(request) }),
  back: retryPath,
})
