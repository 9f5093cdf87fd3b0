import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { marked, type Token, type Tokens } from 'marked'

export interface Page {
  /** The path from the root of the repository. */
  path: string
  tokens: Token[]
}

export interface CodeBlock {
  page: string
  language: string
  text: string
}

/** People read these pages: the README, and those under docs/. */
export const pages: Page[] = ['README.md', ...readdirSync('docs').map(name => join('docs', name))]
  .filter(path => path.endsWith('.md'))
  .map(path => ({ path, tokens: marked.lexer(readFileSync(path, 'utf8')) }))

/** Returns every token of a page, including those within others. */
export function tokensOf({ tokens }: Page): Token[] {
  const all: Token[] = []
  marked.walkTokens(tokens, token => {
    all.push(token)
  })
  return all
}

export const codeBlocks: CodeBlock[] = pages.flatMap(page =>
  tokensOf(page)
    .filter((token): token is Tokens.Code => token.type === 'code')
    .map(({ lang = '', text }) => ({ page: page.path, language: lang, text })),
)

/** Returns the only block of a page in a language. */
export function blockOf(page: string, language: string): string {
  const found = codeBlocks.filter(block => block.page === page && block.language === language)
  if (found.length !== 1) throw new Error(`${page} has ${found.length} blocks in ${language}.`)
  return (found[0] as CodeBlock).text
}

/** Returns what is written as code within sentences. */
export function codeSpans(page: Page): string[] {
  return tokensOf(page)
    .filter((token): token is Tokens.Codespan => token.type === 'codespan')
    .map(({ text }) => text)
}
