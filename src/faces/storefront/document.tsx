import type { ComponentChildren } from 'preact'
import { assetPath } from '../web/assets/assets.ts'
import { withQuery } from '../web/link.ts'
import { languageNames, languages } from '../web/texts/languages.ts'
import type { Voice } from '../web/voice.ts'
import { inSpeech, type Speech } from './voice.ts'

interface DocumentProps {
  speech: Speech
  voice: Voice
  /** Of the window: the page, then where it belongs to. */
  title: readonly string[]
  /** The path of the page, for the links to it in other languages; without one there are none. */
  path?: string
  /** Where the name at the top leads, and what it is. */
  home?: { href: string; name: string }
  head?: ComponentChildren
  foot?: ComponentChildren
  children: ComponentChildren
}

/** What every page for visitors is in. There is no script. */
export function StoreDocument({ speech, voice, title, path, home, head, foot, children }: DocumentProps) {
  const { texts, format } = voice
  return (
    <html lang={format.language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="color-scheme" content="light dark" />
        <title>{title.join(' · ')}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href={assetPath('style.css')} />
        <link rel="stylesheet" href={assetPath('storefront.css')} />
        {head}
      </head>
      <body class="store">
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
                    rel="nofollow"
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
