import type { ComponentChildren } from 'preact'
import { accentPath } from '#machinery/web/accent.ts'
import { assetPath } from '#machinery/web/assets/assets.ts'
import { MarkLinks } from '#machinery/web/components/mark-links.tsx'
import { withQuery } from '#machinery/web/link.ts'
import type { Voice } from '#machinery/web/voice.ts'
import type { Logo, Look } from '#product/catalog/looks/schemas.ts'
import { languageNames, languages } from '#texts/languages.ts'
import { paths } from './paths.ts'
import { BACK, inSpeech, type Speech } from './voice.ts'

interface DocumentProps {
  speech: Speech
  voice: Voice
  /** The title of the window: first the page, then what the page belongs to. */
  title: readonly string[]
  /** The path of the page, for the links to the page in other languages. Without a path there are no such links. */
  path?: string
  /** Whose page it is. Its name at the top leads to its list. */
  home?: Home
  /** The page's address is a secret of the visitor who opened it, and is not printed. */
  isOwn?: boolean
  /** What was sent is refused. The title says so first, because people who hear the page hear its title before all else. */
  isRefused?: boolean
  head?: ComponentChildren
  foot?: ComponentChildren
  children: ComponentChildren
}

/** An organizer, as the top of a page shows them. */
export interface Home {
  slug: string
  name: string
  look: Look
  /** The page is the list itself, whose heading is the name. At its top stands only a logo. */
  isList?: boolean
}

/** Every page for visitors has this frame. There is no script, except in the head of pages that authors write in. */
export function StoreDocument({
  speech,
  voice,
  title,
  path,
  home,
  isOwn,
  isRefused,
  ...parts
}: DocumentProps) {
  const { texts, format } = voice
  const { head, foot, children } = parts
  return (
    <html lang={format.language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="color-scheme" content="light dark" />
        <title>{(isRefused ? texts.page.errorPrefix : '') + title.join(' · ')}</title>
        <Marks home={home} />
        <link rel="stylesheet" href={assetPath('style.css')} />
        <link rel="stylesheet" href={assetPath('storefront.css')} />
        {home?.look.colour != null && <link rel="stylesheet" href={accentPath(home.look.colour)} />}
        {head}
      </head>
      <body class={isOwn ? 'store own' : 'store'}>
        <header class="top">
          <a class="hidden button" href="#content">
            {texts.storefront.skip}
          </a>
          {home !== undefined && <HomeLink home={home} speech={speech} />}
          {speech.back !== undefined && (
            <a class="back" href={speech.back}>
              {texts.storefront.backTo(new URL(speech.back).host)}
            </a>
          )}
          {path !== undefined && (
            <nav class="languages" aria-label={texts.storefront.language}>
              {languages
                .filter(language => language !== format.language)
                .map(language => (
                  <a
                    key={language}
                    href={withQuery(path, { lang: language, [BACK]: speech.back })}
                    lang={language}
                    hreflang={language}
                  >
                    {languageNames[language]}
                  </a>
                ))}
            </nav>
          )}
        </header>
        <main id="content" tabindex={-1}>
          {children}
        </main>
        {foot}
      </body>
    </html>
  )
}

/** Links the page to the logo, or to Turnout's mark without one. */
function Marks({ home }: { home: Home | undefined }) {
  if (!home?.look.logo) return <MarkLinks />
  const { slug } = home
  return (
    <>
      <link rel="icon" href={paths.logo(slug, home.look.logo)} type={`image/${home.look.logo.page}`} />
      <link rel="icon" href={paths.icon(slug, home.look.logo)} type="image/svg+xml" sizes="any" />
    </>
  )
}

function HomeLink({ home: { slug, name, look, isList = false }, speech }: { home: Home; speech: Speech }) {
  const { logo } = look
  if (logo === null && isList) return null
  return (
    <a class="home" href={inSpeech(speech, paths.account(slug))}>
      {logo === null ? <bdi>{name}</bdi> : <LogoImage slug={slug} name={name} logo={logo} />}
    </a>
  )
}

interface LogoProps extends Pick<Home, 'slug' | 'name'> {
  logo: Logo
}

/** Shows a logo at half its pixels, so that it is sharp on screens with small ones. */
export function LogoImage({ slug, name, logo }: LogoProps) {
  const [width, height] = [Math.ceil(logo.width / 2), Math.ceil(logo.height / 2)]
  return <img class="logo" src={paths.logo(slug, logo)} alt={name} width={width} height={height} />
}
