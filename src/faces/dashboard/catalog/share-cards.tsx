import { renderToString } from 'preact-render-to-string'
import { EmbedSnippet } from '#faces/dashboard/administration/embed-snippet.tsx'
import type { Context } from '#faces/dashboard/frame/context.ts'
import type { AccountRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { toSetting } from '#faces/dashboard/frame/way-back.ts'
import { Copyable } from '#machinery/web/components/copyable.tsx'
import { ButtonLink } from '#machinery/web/components/parts.tsx'
import { QrCode } from '#machinery/web/components/qr-code.tsx'
import { qrPng, qrSvg } from '#machinery/web/qr-picture.ts'
import type { Texts } from '#texts/texts.ts'

/** A quarter of the picture may be lost, because it is printed on what people touch. */
const LEVEL = 'Q'
/** Dots on each side of the picture: 5 cm in print at 600 dpi. */
const PNG_SIDE = 1_200

export type QrFormat = 'svg' | 'png'

export function AddressCard({ title, link, texts }: { title: string; link: string; texts: Texts }) {
  return (
    <section class="card stack" aria-labelledby="address">
      <h2 id="address">{title}</h2>
      <Copyable label={title} text={link} texts={texts} />
    </section>
  )
}

interface QrProps {
  link: string
  /** What the link leads to. */
  of: string
  /** Returns the path of the picture to download. */
  pathOf: (format: QrFormat) => string
  texts: Texts
}

export function QrCard({ link, of, pathOf, texts: { share: texts } }: QrProps) {
  return (
    <section class="card stack" aria-labelledby="qr">
      <h2 id="qr">{texts.qr}</h2>
      <p class="quiet">{texts.qrAbout}</p>
      <QrCode text={link} label={texts.qrOf(of)} level={LEVEL} />
      <div class="row">
        <ButtonLink href={pathOf('svg')}>{texts.svg}</ButtonLink>
        <ButtonLink href={pathOf('png')}>{texts.png}</ButtonLink>
      </div>
    </section>
  )
}

/** Answers with the picture of a link. @param name of the file, without its ending */
export function answerQr(context: Context, format: QrFormat, link: string, name: string): void {
  context.attachment(`${name}.${format}`)
  context.body = format === 'svg' ? qrSvg(link, LEVEL) : qrPng(link, LEVEL, PNG_SIDE)
  context.type = format === 'svg' ? 'image/svg+xml' : 'image/png'
}

export function HtmlCard({ link, label, texts }: { link: string; label: string; texts: Texts }) {
  const { share } = texts
  return (
    <section class="card stack" aria-labelledby="html">
      <h2 id="html">{share.html}</h2>
      <p class="quiet">{share.htmlAbout}</p>
      <Copyable label={share.html} text={renderToString(<a href={link}>{label}</a>)} texts={texts} />
    </section>
  )
}

interface OwnSiteProps {
  /** The paths of the public page, and of the page for frames. */
  page: string
  frame: string
  /** The words of the link. */
  label: string
  baseUrl: string
  /** Whether the organization has named sites that may show the frame. */
  hasSites: boolean
  /** The path of this page. */
  here: string
  request: Pick<AccountRequest, 'account' | 'member' | 'voice'>
}

export function OwnSiteCard({
  hasSites,
  here,
  request: {
    account,
    member,
    voice: { texts },
  },
  ...snippet
}: OwnSiteProps) {
  const toSites = toSetting(paths.accountSettings(account.id, 'site'), 'embed_origins', here)
  return (
    <section class="card stack" aria-labelledby="own-site">
      <h2 id="own-site">{texts.site.ofEvent}</h2>
      {!hasSites && (
        <div class="row">
          <p>{texts.site.noOriginsYet}</p>
          {member.event_ids === null && <ButtonLink href={toSites}>{texts.site.toSites}</ButtonLink>}
        </div>
      )}
      <EmbedSnippet {...snippet} texts={texts} />
    </section>
  )
}
