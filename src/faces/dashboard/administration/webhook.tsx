import { goTo } from '#faces/dashboard/frame/destination.ts'
import { readCursor, toNext } from '#faces/dashboard/frame/list-page.ts'
import type { PageAt, View } from '#faces/dashboard/frame/page.ts'
import { type AccountRequest, actorOf, type Services } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { answerView, showPage } from '#faces/dashboard/frame/show.tsx'
import type { ReadTx } from '#machinery/db/port.ts'
import {
  Banner,
  ButtonLink,
  CopyButton,
  Empty,
  Facts,
  Head,
  Live,
  PostButton,
  Preformatted,
  Tabs,
  Time,
} from '#machinery/web/components/parts.tsx'
import { choiceField } from '#machinery/web/forms/field.ts'
import { withQuery } from '#machinery/web/link.ts'
import { ListTools, Pages, type Query, Table } from '#machinery/web/lists/list.tsx'
import { recordedWrite } from '#product/administration/access-log/recorded-write.ts'
import type { Job } from '#product/administration/jobs/schemas.ts'
import * as deliveries from '#product/administration/webhooks/deliveries.ts'
import { allWebhookEventTypes } from '#product/administration/webhooks/event-types.ts'
import { findRetry } from '#product/administration/webhooks/retry-all.ts'
import * as webhooks from '#product/administration/webhooks/rules.ts'
import type { Delivery, EndpointDetails } from '#product/administration/webhooks/schemas.ts'
import type { DeliveryStatus } from '#product/administration/webhooks/states.ts'
import { deliveryStatuses } from '#product/administration/webhooks/states.ts'
import { deliveryList } from './delivery-list.tsx'
import {
  COUNTED_TO,
  EndpointState,
  entryOn,
  loadEndpoint,
  nameOfType,
  OF_WEBHOOKS,
  shownCount,
} from './webhook-parts.tsx'

const PER_PAGE = 25
/** The list looks again this often, in seconds. */
const EVERY = 5
const PATH = '/a/{account}/webhooks/{endpoint}'

const filters = {
  type: choiceField(
    allWebhookEventTypes,
    ({ webhooks: { type } }) => allWebhookEventTypes.map(value => ({ value, label: type[value] })),
    { label: texts => texts.webhooks.kind },
  ),
}

interface Loaded {
  endpoint: EndpointDetails
  retry: Job | undefined
  counts: Record<DeliveryStatus, number>
  rows: Delivery[]
  next: string | undefined
  /** The secret of the webhook, after somebody has asked for it. */
  secret?: string
}

async function load(tx: ReadTx, request: AccountRequest, services: Services): Promise<Loaded> {
  const endpoint = await loadEndpoint(tx, request, services)
  return {
    endpoint,
    retry: await findRetry(tx, endpoint.id),
    counts: await deliveries.countByStatus(tx, endpoint.id, COUNTED_TO + 1),
    ...(await loadRows(tx, request, services, endpoint.id)),
  }
}

async function loadRows(
  tx: ReadTx,
  request: AccountRequest,
  { cursors }: Services,
  endpointId: string,
): Promise<Pick<Loaded, 'rows' | 'next'>> {
  const { account } = request
  const { status, type } = readFilters(request)
  const scope = `deliveries ${account.id} ${endpointId} ${status} ${type}`
  const after = readCursor(cursors, scope, request)
  if (type !== undefined) {
    const page = { limit: PER_PAGE, after }
    const { found, next } = await deliveries.listOfType(tx, { endpointId, status, type }, page)
    return { rows: found, next: next && cursors.encode(scope, next) }
  }
  const page = { limit: PER_PAGE + 1, after }
  const found = [...(await deliveries.listDeliveries(tx, { endpointId, status }, page))]
  const rows = found.slice(0, PER_PAGE).map(({ resource }) => resource)
  return { rows, next: toNext(cursors, scope, found, PER_PAGE) }
}

function readFilters({ query }: AccountRequest) {
  return {
    status: deliveryStatuses.find(each => each === query.get('status')),
    type: allWebhookEventTypes.find(each => each === query.get('type')),
  }
}

export const webhookPage = showPage('account', { ...OF_WEBHOOKS, path: PATH, load, view })

/** Shows the page with the secret on it. The access log records that. */
export const webhookSecret: PageAt<'account'> = {
  ...OF_WEBHOOKS,
  level: 'account',
  path: `${PATH}/secret`,
  get: async (services, context, request) => {
    const { id } = await services.db.read(request.account.id, tx => loadEndpoint(tx, request, services))
    goTo(services, context, { path: paths.webhook(request.account.id, id) })
  },
  post: async (services, context, request) => {
    const read = (tx: ReadTx) => webhooks.getSecret(tx, request.params.endpoint ?? '')
    const secret = await recordedWrite(
      services.db,
      actorOf(request),
      read,
      entryOn('webhook.secret', request),
    )
    const loaded = await services.db.read(request.account.id, tx => load(tx, request, services))
    await answerView(context, { level: 'account', path: PATH }, request, view({ ...loaded, secret }, request))
  },
}

function view(loaded: Loaded, request: AccountRequest): View {
  const { endpoint, retry } = loaded
  const { account, voice } = request
  const { texts } = voice
  return {
    title: endpoint.url,
    body: (
      <div class="stack">
        <Head
          crumbs={<a href={paths.webhooks(account.id)}>{texts.webhooks.title}</a>}
          title={<bdi>{endpoint.url}</bdi>}
          pill={<EndpointState endpoint={endpoint} voice={voice} />}
          actions={<Actions endpoint={endpoint} request={request} />}
        />
        {!endpoint.enabled && <p class="quiet">{texts.webhooks.disabledAbout}</p>}
        {endpoint.enabled && endpoint.failing_since !== null && (
          <p class="quiet">{texts.webhooks.failingAbout}</p>
        )}
        {retry !== undefined && (
          <Banner
            tone="warn"
            action={
              <ButtonLink href={paths.webhookRetry(account.id, endpoint.id, retry.id)}>
                {texts.webhooks.look}
              </ButtonLink>
            }
          >
            <p>{texts.webhooks.retryUnderWay}</p>
          </Banner>
        )}
        <div class="two">
          <TypesCard endpoint={endpoint} request={request} />
          <SecretCard endpoint={endpoint} secret={loaded.secret} request={request} />
        </div>
        <Deliveries loaded={loaded} request={request} />
      </div>
    ),
  }
}

interface PartProps {
  endpoint: EndpointDetails
  request: AccountRequest
}

function Actions({ endpoint, request: { account, voice } }: PartProps) {
  const { webhooks: texts } = voice.texts
  const to = (what: string) => paths.ofWebhook(account.id, endpoint.id, what)
  return (
    <>
      {endpoint.enabled && <PostButton action={to('ping')}>{texts.ping}</PostButton>}
      <PostButton action={to(endpoint.enabled ? 'disable' : 'enable')}>
        {endpoint.enabled ? texts.disable : texts.enable}
      </PostButton>
      <ButtonLink href={to('remove')} isDestructive>
        {texts.remove}
      </ButtonLink>
      <ButtonLink href={to('edit')} main>
        {texts.edit}
      </ButtonLink>
    </>
  )
}

function TypesCard({ endpoint: { types, created_at }, request: { voice } }: PartProps) {
  const { webhooks: texts } = voice.texts
  return (
    <section class="card stack" aria-labelledby="types">
      <h2 id="types">{texts.types}</h2>
      <ul>
        {types.map(type => (
          <li key={type}>{nameOfType(type, voice)}</li>
        ))}
      </ul>
      <Facts facts={[[texts.made, <Time key="made" at={created_at} format={voice.format} />]]} />
    </section>
  )
}

function SecretCard({ endpoint, secret, request }: PartProps & { secret: string | undefined }) {
  const { account, voice } = request
  const { texts, format } = voice
  const { previous_secret_expires_at: until } = endpoint
  const to = (what: string) => paths.ofWebhook(account.id, endpoint.id, what)
  return (
    <section class="card stack" aria-labelledby="secret">
      <h2 id="secret">{texts.webhooks.secret}</h2>
      <p>{texts.webhooks.secretAbout}</p>
      {until !== null && <p class="quiet">{texts.webhooks.previousSecret(format.dateTime(until))}</p>}
      {secret !== undefined && <Preformatted text={secret} />}
      <div class="row">
        {secret === undefined ? (
          <PostButton action={to('secret')}>{texts.webhooks.showSecret}</PostButton>
        ) : (
          <CopyButton text={secret} texts={texts} />
        )}
        <ButtonLink href={to('rotate')} isDestructive>
          {texts.webhooks.rotate}
        </ButtonLink>
      </div>
    </section>
  )
}

function Deliveries({ loaded, request }: { loaded: Loaded; request: AccountRequest }) {
  const { endpoint, counts, next } = loaded
  const { account, voice } = request
  const { texts } = voice
  const path = paths.webhook(account.id, endpoint.id)
  const { status, type } = readFilters(request)
  const query: Query = { status, type, after: request.query.get('after') ?? undefined }
  const rows = loaded.rows.map(row => ({ ...row, path: paths.delivery(account.id, endpoint.id, row.id) }))
  const tab = (each: DeliveryStatus | undefined) => ({
    href: withQuery(path, { status: each, type }),
    text: each === undefined ? texts.page.all : texts.webhooks.statuses[each],
    isCurrent: status === each,
    // The counts cover all types.
    count: each && type === undefined ? shownCount(counts[each], voice) : undefined,
  })
  return (
    <section aria-labelledby="deliveries-head">
      <div class="row spread">
        <h2 id="deliveries-head">{texts.webhooks.deliveries}</h2>
        {endpoint.enabled && counts.failed > 0 && (
          <ButtonLink href={paths.ofWebhook(account.id, endpoint.id, 'retry')}>
            {texts.webhooks.retryAll}
          </ButtonLink>
        )}
      </div>
      <ListTools path={path} query={query} voice={voice} filters={filters} kept={['status']} />
      <Live id="deliveries" every={EVERY}>
        <Tabs label={texts.webhooks.deliveries} tabs={[tab(undefined), ...deliveryStatuses.map(tab)]} />
        {rows.length > 0 && <Table list={deliveryList} rows={rows} voice={voice} />}
        {rows.length === 0 &&
          (next === undefined ? (
            <Empty icon="list" title={texts.webhooks.noDeliveries}>
              {texts.webhooks.noDeliveriesAbout}
            </Empty>
          ) : (
            <p class="quiet">{texts.webhooks.noneLookedAt}</p>
          ))}
        <Pages path={path} query={query} shown={rows.length} next={next} texts={texts} />
      </Live>
    </section>
  )
}
