import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PIECE } from '#product/programme/files/schemas.ts'
import { copyOf, damageOf } from '#test/support/engine.ts'
import { insertFile, pdfOf } from '#test/support/files.ts'
import { withRows } from '#test/support/rows.ts'
import { startWithOrganization } from '#test/support/server.ts'

test('the pieces of a file are held against its row: their numbers, their bytes and their SHA-256', async t => {
  const { data, db, applied, eventId } = await startWithOrganization(t)
  const [whole, loose, replaced] = await db.write(applied.account_id, async tx => [
    await insertFile(tx, eventId, { bytes: pdfOf(3 * PIECE + 5) }),
    await insertFile(tx, eventId, { bytes: pdfOf(2 * PIECE) }),
    await insertFile(tx, eventId, { bytes: pdfOf(10), replacedAt: 1 }),
  ])
  await db.write(applied.account_id, tx =>
    tx.run('UPDATE abstract_files SET submission_id = NULL, sha256 = NULL WHERE id = $1', [loose as string]),
  )
  assert.deepEqual(await damageOf(data), [])
  const damages: [sql: string, ...found: RegExp[]][] = [
    [
      `DELETE FROM file_chunks WHERE file_id = '${whole}' AND number = 1`,
      /^file \S+ has 3 pieces, of which the last has number 3$/,
      /^file \S+ says 786437 bytes, and its pieces have 524293$/,
      /^file \S+ has other bytes than its SHA-256 is of$/,
    ],
    [
      `UPDATE file_chunks SET number = number + 1 WHERE file_id = '${loose}' AND number = 1`,
      /^file \S+ has 2 pieces, of which the last has number 2$/,
    ],
    [
      `DELETE FROM file_chunks WHERE file_id = '${replaced}'`,
      /^file \S+ says 10 bytes, and its pieces have 0$/,
      /^file \S+ has other bytes than its SHA-256 is of$/,
    ],
    [
      `UPDATE abstract_files SET size = size - 1 WHERE id = '${loose}'`,
      /^file \S+ says 524287 bytes, and its pieces have 524288$/,
    ],
    [
      `UPDATE abstract_files SET sha256 = '${'0'.repeat(64)}' WHERE id = '${replaced}'`,
      /^file \S+ has other bytes than its SHA-256 is of$/,
    ],
    [
      `UPDATE file_chunks SET content = (SELECT c.content FROM file_chunks c WHERE c.file_id = '${loose}' AND c.number = 0)
       WHERE file_id = '${whole}' AND number = 2`,
      /^file \S+ has other bytes than its SHA-256 is of$/,
    ],
    [
      `UPDATE abstract_files SET sha256 = 'none' WHERE id = '${whole}'`,
      /^the sha256 of row \S+ of abstract_files is not a SHA-256$/,
      /^file \S+ has other bytes than its SHA-256 is of$/,
    ],
  ]
  for (const [sql, ...found] of damages) {
    const copy = await copyOf(t, data)
    await withRows(copy, async rows => assert.equal(await rows.run(sql), 1, sql))
    const sentences = await damageOf(copy)
    assert.equal(sentences.length, found.length, `${sql}\n${sentences.join('\n')}`)
    for (const [at, sentence] of found.entries()) assert.match(sentences[at] ?? '', sentence)
  }
})
