import { goTo } from '#faces/dashboard/frame/destination.ts'
import { OnlyHereNote } from '#faces/dashboard/frame/only-here.tsx'
import type { PageAt } from '#faces/dashboard/frame/page.ts'
import type { AccountRequest, Services } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { showPage } from '#faces/dashboard/frame/show.tsx'
import type { ReadTx } from '#machinery/db/port.ts'
import { Banner, Head } from '#machinery/web/components/parts.tsx'
import * as accounts from '#product/administration/accounts/rules.ts'
import { hasPage } from '#product/catalog/event-pages/series-pages.ts'
import * as series from '#product/catalog/events/series.ts'
import type { Series } from '#product/catalog/events/series-schemas.ts'
import { AddressCard, answerQr, HtmlCard, OwnSiteCard, QrCard, type QrFormat } from './share-cards.tsx'

const OF_SHARING = { permission: 'events.edit', belongsTo: '/a/{account}' } as const

interface Shared {
  series: Series
  /** The slug of the account, once there is a page of the series that everybody may see. */
  slug: string | null
  /** Whether the organization has named sites that may show frames. */
  hasSites: boolean
}

/** Reads what of a series can be passed on. @throws Problem not_found */
export async function readShared(tx: ReadTx, { params }: AccountRequest): Promise<Shared> {
  const found = await series.get(tx, params.series ?? '')
  const { slug, embed_origins } = await accounts.getDetails(tx)
  const isSeen = await hasPage(tx, found.slug)
  return { series: found, slug: isSeen ? slug : null, hasSites: embed_origins.length > 0 }
}

/** Shows what organizers pass on of a series: the address of its dates, its picture, and what their own site shows. */
export const seriesShare = showPage('account', {
  ...OF_SHARING,
  path: '/a/{account}/series/{series}/share',
  load: async (tx, request, { baseUrl }) => ({ ...(await readShared(tx, request)), baseUrl }),
  view: (loaded, request) => {
    const { account, voice } = request
    const { share, series: texts } = voice.texts
    return {
      title: share.title,
      body: (
        <>
          <Head
            title={share.title}
            crumbs={
              <a href={paths.series(account.id, loaded.series.id)}>
                <bdi>{loaded.series.name}</bdi>
              </a>
            }
            about={texts.shareAbout}
          />
          {loaded.slug === null ? (
            <Banner tone="warn">
              <p>{texts.noPageYet}</p>
            </Banner>
          ) : (
            <Ways {...loaded} slug={loaded.slug} request={request} />
          )}
        </>
      ),
    }
  },
})

function Ways({
  series: { id, slug: ofSeries, name },
  slug,
  baseUrl,
  hasSites,
  request,
}: Shared & { slug: string; request: AccountRequest } & Pick<Services, 'baseUrl'>) {
  const { account, voice } = request
  const { texts } = voice
  const page = paths.publicPage(slug, ofSeries)
  const link = baseUrl + page
  const label = texts.share.ticketsFor(name)
  return (
    <div class="stack">
      <OnlyHereNote url={link} texts={texts} />
      <AddressCard title={texts.series.address} link={link} texts={texts} />
      <QrCard
        link={link}
        of={name}
        pathOf={format => paths.shareSeries(account.id, id, `qr.${format}`)}
        texts={texts}
      />
      <HtmlCard link={link} label={label} texts={texts} />
      <OwnSiteCard
        {...{ page, label, baseUrl, hasSites, request }}
        frame={paths.publicFrame(slug, ofSeries)}
        here={paths.shareSeries(account.id, id)}
      />
    </div>
  )
}

function picture(format: QrFormat): PageAt<'account'> {
  return {
    ...OF_SHARING,
    path: `/a/{account}/series/{series}/share/qr.${format}`,
    level: 'account',
    isFile: true,
    get: async (services, context, request) => {
      const { id } = request.account
      const { series: of, slug } = await services.db.read(id, tx => readShared(tx, request))
      // The page says why there is nothing to share.
      if (slug === null) return goTo(services, context, { path: paths.shareSeries(id, of.id) })
      answerQr(context, format, services.baseUrl + paths.publicPage(slug, of.slug), of.slug)
    },
  }
}

export const seriesSvg = picture('svg')
export const seriesPng = picture('png')
