import { goTo } from '#faces/dashboard/frame/destination.ts'
import { OnlyHereNote } from '#faces/dashboard/frame/only-here.tsx'
import type { PageAt } from '#faces/dashboard/frame/page.ts'
import type { EventRequest, Services } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { showPage } from '#faces/dashboard/frame/show.tsx'
import { toSetting } from '#faces/dashboard/frame/way-back.ts'
import type { ReadTx } from '#machinery/db/port.ts'
import { Copyable, CopyButton } from '#machinery/web/components/copyable.tsx'
import { Banner, ButtonLink, Head } from '#machinery/web/components/parts.tsx'
import * as accounts from '#product/administration/accounts/rules.ts'
import * as codes from '#product/catalog/codes/rules.ts'
import { isPrivate } from '#product/catalog/events/states.ts'
import { readCodeLink, readPrivateWay } from './code-link.tsx'
import { describeWhenAndWhere } from './event-head.tsx'
import { AddressCard, answerQr, HtmlCard, OwnSiteCard, QrCard, type QrFormat } from './share-cards.tsx'

/** Whoever sells tickets of the event by codes may pass its codes on. */
const OF_SHARING = { permission: 'events.edit', belongsTo: '/e/{event}' } as const
/** The newest codes, of which the page offers those that work. */
const MOST_CODES = 50

interface Loaded {
  /** The address to share. It is undefined as long as visitors have none. */
  link: string | undefined
  /** The codes that work, the newest first. */
  codes: readonly string[]
  /** The code that was chosen, with its address. */
  chosen: { code: string; link: string } | undefined
  /** What shows its tickets on another site. It is undefined for an event that not everybody may see. */
  embed: { slug: string; baseUrl: string; hasSites: boolean } | undefined
}

/** Returns the address that visitors open. That of a private event carries the newest code that works. */
export async function readLink(
  tx: ReadTx,
  request: EventRequest,
  services: Pick<Services, 'baseUrl' | 'clock'>,
): Promise<string | undefined> {
  const { event } = request
  if (isPrivate(event.visibility)) return (await readPrivateWay(tx, request, services))?.link
  const { slug } = await accounts.getDetails(tx)
  if (slug === null || event.status === 'draft') return undefined
  return services.baseUrl + paths.publicPage(slug, event.slug)
}

async function readEmbed(
  tx: ReadTx,
  { event }: EventRequest,
  { baseUrl }: Services,
): Promise<Loaded['embed']> {
  const { slug, embed_origins } = await accounts.getDetails(tx)
  if (slug === null || event.status === 'draft' || isPrivate(event.visibility)) return undefined
  return { slug, baseUrl, hasSites: embed_origins.length > 0 }
}

/** Shows what organizers pass on: the address, its picture, a text, an address with a code, and what their own site shows. */
export const sharePage = showPage('event', {
  ...OF_SHARING,
  path: '/e/{event}/share',
  load: async (tx, request, services): Promise<Loaded> => {
    const { event, query } = request
    const listed = [...(await codes.list(tx, event.id, { limit: MOST_CODES }))]
    const working = listed
      .filter(({ resource }) => codes.stateOf(resource, services.clock()) === 'on')
      .map(({ resource }) => resource.code)
    const code = working.find(each => each === query.get('code'))
    const link = code && (await readCodeLink(tx, request, services, code))
    return {
      link: await readLink(tx, request, services),
      codes: working,
      chosen: code === undefined || link === undefined ? undefined : { code, link },
      embed: await readEmbed(tx, request, services),
    }
  },
  view: (loaded, request) => {
    const { title, about } = request.voice.texts.share
    return {
      title,
      body: (
        <>
          <Head title={title} about={about} />
          {loaded.link === undefined ? (
            <NoLink request={request} />
          ) : (
            <Ways {...loaded} link={loaded.link} request={request} />
          )}
        </>
      ),
    }
  },
})

/** Says why visitors have no address of the event. */
export function whyNoLink({ event, voice }: EventRequest): string {
  const { share: texts } = voice.texts
  if (event.status === 'draft') return texts.isDraft
  return isPrivate(event.visibility) ? texts.needsCode : texts.needsName
}

/** Says why there is nothing to share, and where that changes. */
function NoLink({ request }: { request: EventRequest }) {
  const { account, event, member, voice } = request
  const { codes: labels } = voice.texts
  const toName = toSetting(paths.accountSettings(account.id), 'slug', paths.shareEvent(event.id))
  const [href, label] =
    event.status === 'draft'
      ? [paths.event(event.id), voice.texts.navigation.overview]
      : isPrivate(event.visibility)
        ? [paths.codes(event.id), labels.title]
        : [toName, voice.texts.eventPage.toSettings]
  const mayGo = href !== toName || member.event_ids === null
  return (
    <Banner tone="warn" action={mayGo && <ButtonLink href={href}>{label}</ButtonLink>}>
      <p>{whyNoLink(request)}</p>
    </Banner>
  )
}

function Ways({
  link,
  codes: working,
  chosen,
  embed,
  request,
}: Loaded & { link: string; request: EventRequest }) {
  const { event, voice } = request
  const { share: texts } = voice.texts
  const { when, where } = describeWhenAndWhere(event, voice)
  const message = [event.title, [when, where].filter(Boolean).join(' · '), link].join('\n')
  return (
    <div class="stack">
      <OnlyHereNote url={link} texts={voice.texts} />
      <AddressCard title={texts.address} link={link} texts={voice.texts} />
      <QrCard
        link={link}
        of={event.title}
        pathOf={format => paths.shareEvent(event.id, `qr.${format}`)}
        texts={voice.texts}
      />
      <section class="card stack" aria-labelledby="message">
        <h2 id="message">{texts.message}</h2>
        <textarea readonly rows={6} aria-labelledby="message" dir="auto">
          {message}
        </textarea>
        <div class="row">
          <CopyButton text={message} texts={voice.texts} />
        </div>
      </section>
      <WithCode codes={working} chosen={chosen} request={request} />
      <HtmlCard link={link} label={texts.ticketsFor(event.title)} texts={voice.texts} />
      {embed !== undefined && (
        <OwnSiteCard
          baseUrl={embed.baseUrl}
          hasSites={embed.hasSites}
          page={paths.publicPage(embed.slug, event.slug)}
          frame={paths.publicFrame(embed.slug, event.slug)}
          label={texts.ticketsFor(event.title)}
          here={paths.shareEvent(event.id)}
          request={request}
        />
      )}
    </div>
  )
}

function WithCode({
  codes: working,
  chosen,
  request,
}: Pick<Loaded, 'codes' | 'chosen'> & { request: EventRequest }) {
  const { event, voice } = request
  const { share: texts } = voice.texts
  return (
    <section class="card stack" aria-labelledby="with-code">
      <h2 id="with-code">{texts.withCode}</h2>
      {working.length === 0 ? (
        <>
          <p class="quiet">{texts.noCode}</p>
          <div class="row">
            <ButtonLink href={paths.newCode(event.id)}>{voice.texts.codes.newCode}</ButtonLink>
          </div>
        </>
      ) : (
        <form method="get" action={`${paths.shareEvent(event.id)}#with-code`} class="row">
          <select name="code" aria-label={texts.code} dir="ltr">
            {working.map(code => (
              <option key={code} value={code} selected={code === chosen?.code}>
                {code}
              </option>
            ))}
          </select>
          <button type="submit" class="button">
            {texts.showLink}
          </button>
        </form>
      )}
      {chosen !== undefined && (
        <Copyable label={texts.linkWith(chosen.code)} text={chosen.link} texts={voice.texts} />
      )}
    </section>
  )
}

function picture(format: QrFormat): PageAt<'event'> {
  return {
    ...OF_SHARING,
    path: `/e/{event}/share/qr.${format}`,
    level: 'event',
    isFile: true,
    get: async (services, context, request) => {
      const { account, event } = request
      const link = await services.db.read(account.id, tx => readLink(tx, request, services))
      // The page says why there is nothing to share.
      if (link === undefined) return goTo(services, context, { path: paths.shareEvent(event.id) })
      answerQr(context, format, link, event.slug)
    },
  }
}

export const shareSvg = picture('svg')
export const sharePng = picture('png')
