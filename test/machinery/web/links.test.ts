import assert from 'node:assert/strict'
import { test } from 'node:test'
import { safeLink, withQuery } from '#machinery/web/link.ts'

test('an address that people wrote leads to the web or to a mail, or nowhere', () => {
  assert.equal(safeLink('https://example.org/a?b#c'), 'https://example.org/a?b#c')
  assert.equal(safeLink('mailto:grace@example.org'), 'mailto:grace@example.org')
  for (const address of [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    '\u0001javascript:alert(1)',
    'data:text/html,<script>',
    'vbscript:x',
    'file:///etc/passwd',
    '//example.org',
    '/manage',
    '',
  ]) {
    assert.equal(safeLink(address), undefined, address)
  }
})

test('a query has what was given, escaped', () => {
  assert.equal(withQuery('/a', { q: 'a&b=c', after: undefined, status: '' }), '/a?q=a%26b%3Dc')
  assert.equal(withQuery('/a', { q: undefined }), '/a')
})
