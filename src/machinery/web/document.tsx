import type { ComponentChildren } from 'preact'
import type { Language } from '#texts/languages.ts'
import { assetPath } from './assets/assets.ts'
import { MarkLinks } from './components/mark-links.tsx'

export interface DocumentProps {
  language: Language
  /** The title of the window: the page, then what it belongs to. */
  title: readonly string[]
  /** A style sheet beside that of all pages. */
  style?: string | undefined
  /** The seconds after which a page without the script is loaded again. */
  refresh?: number | undefined
  children: ComponentChildren
}

/** Shows the document around every page. */
export function Document({ language, title, style, refresh, children }: DocumentProps) {
  return (
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="color-scheme" content="light dark" />
        <title>{title.join(' · ')}</title>
        <MarkLinks />
        <link rel="stylesheet" href={assetPath('style.css')} />
        {style !== undefined && <link rel="stylesheet" href={assetPath(style)} />}
        {refresh !== undefined && (
          <noscript>
            <meta http-equiv="refresh" content={String(refresh)} />
          </noscript>
        )}
        <script src={assetPath('enhance.js')} defer />
      </head>
      <body>{children}</body>
    </html>
  )
}
