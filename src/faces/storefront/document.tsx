import type { ComponentChildren } from 'preact'
import { assetPath } from '#machinery/web/assets/assets.ts'
import { MarkLinks } from '#machinery/web/components/mark-links.tsx'
import { withQuery } from '#machinery/web/link.ts'
import type { Voice } from '#machinery/web/voice.ts'
import { languageNames, languages } from '#texts/languages.ts'
import { inSpeech, type Speech } from './voice.ts'

interface DocumentProps {
  speech: Speech
  voice: Voice
  /** The title of the window: first the page, then what the page belongs to. */
  title: readonly string[]
  /** The path of the page, for the links to the page in other languages. Without a path there are no such links. */
  path?: string
  /** The link of the name at the top. */
  home?: { href: string; name: string }
  /** The page's address is a secret of the visitor who opened it, and is not printed. */
  isOwn?: boolean
  /** What was sent is refused. The title says so first, because people who hear the page hear its title before all else. */
  isRefused?: boolean
  head?: ComponentChildren
  foot?: ComponentChildren
  children: ComponentChildren
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
        <MarkLinks />
        <link rel="stylesheet" href={assetPath('style.css')} />
        <link rel="stylesheet" href={assetPath('storefront.css')} />
        {head}
      </head>
      <body class={isOwn ? 'store own' : 'store'}>
        <header class="top">
          <a class="hidden button" href="#content">
            {texts.storefront.skip}
          </a>
          {home !== undefined && (
            <a class="home" href={inSpeech(speech, home.href)}>
              <bdi>{home.name}</bdi>
            </a>
          )}
          {path !== undefined && (
            <nav class="languages" aria-label={texts.storefront.language}>
              {languages
                .filter(language => language !== format.language)
                .map(language => (
                  <a
                    key={language}
                    href={withQuery(path, { lang: language })}
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
