import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startWithDraft } from '#test/support/submitted-files.ts'

test('text in Word’s Symbol font is shown in Greek before it is sent, and is sent so', async t => {
  const at = await startWithDraft(t)
  const form = await at.visitor().open(`${at.own}/edit`)
  const [presenter] = form.document.getElementsByName('presenter')
  ;(presenter as HTMLInputElement).checked = true
  ;(form.document.getElementById('author.0.given') as HTMLInputElement).value = 'Lin'
  ;(form.document.getElementById('language') as HTMLSelectElement).value = 'en'
  const pasted = { Title: 'Of \uf061 and \uf062', Text: 'p \uf0a3 5 \uf06dm', Keywords: '\uf067-rays' }
  const check = await form.fill({ ...pasted, 'Your name': 'Lin Mei' }).press('Check and send…')
  for (const shown of ['Of α and β', 'p ≤ 5 μm', 'γ-rays']) assert.ok(check.text.includes(shown), shown)
  // What is typed stays as it is, so that its author finds it again.
  const { submission } = await at.read()
  assert.deepEqual(submission.draft?.typed.title, [pasted.Title])
  await check.press('Send it')
  const [{ title, abstract, keywords }] = await at.abstracts()
  assert.deepEqual([title, abstract, keywords], ['Of α and β', 'p ≤ 5 μm', 'γ-rays'])
})
