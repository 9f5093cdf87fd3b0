import assert from 'node:assert/strict'
import { test } from 'node:test'
import { h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { OnlyHereNote } from '#faces/dashboard/frame/only-here.tsx'
import { textsIn } from '#texts/catalogue.ts'

const shown = (url: string) => renderToString(h(OnlyHereNote, { url, texts: textsIn('en') }))

test('an address that only this machine can open says so before it is passed on, and no other does', () => {
  for (const host of ['127.0.0.1:8080', 'localhost', 'localhost:8443', '[::1]:8080', '127.1.2.3'])
    assert.match(shown(`http://${host}/ada/spring/`), /Only this computer can open this address/, host)
  const reached = ['192.168.1.20:8443', 'tickets.example.org', 'localhost.example.org', '[2001:db8::1]']
  for (const host of reached) assert.equal(shown(`https://${host}/ada/spring/`), '', host)
})
