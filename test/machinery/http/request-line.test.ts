import assert from 'node:assert/strict'
import { test } from 'node:test'
import pino from 'pino'
import { openLog } from '#base/log.ts'
import { type RequestLine, writeRequestLine } from '#machinery/http/request-line.ts'

const REQUEST: RequestLine = {
  request_id: 'req_0197a0b43c5e7d219f105a7b1c2d3e4f',
  method: 'GET',
  route: '/registrations/{id}',
  status: 200,
  code: undefined,
  asker: undefined,
  duration_ms: 1.25,
}

const lines: Partial<RequestLine>[] = [
  {},
  { route: null, status: 404, code: 'route_not_found' },
  { asker: { key_id: '0197a0b4-3c5e-7d21-9f10-5a7b1c2d3e4f' } },
  { asker: { user_id: 'a"b\\c\n\u2028', device_id: 'x' }, duration_ms: 0 },
  { method: 'M-SEARCH', duration_ms: 12_345.67 },
]

test('the line of a request is what pino writes of the same fields', t => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-11-21T12:00:00.123Z') })
  for (const level of ['info', 'debug'] as const) {
    for (const changes of lines) {
      const written: string[] = []
      const log = openLog('debug', { write: text => written.push(text) })
      const line = { ...REQUEST, ...changes }
      writeRequestLine(log, level, line)
      const { asker, duration_ms, ...first } = line
      log[level]({ ...first, ...asker, duration_ms })
      assert.equal(written.length, 2)
      assert.equal(written[0], written[1])
      t.mock.timers.tick(1)
    }
  }
})

test('a level that the log leaves out has no line', () => {
  const written: string[] = []
  writeRequestLine(openLog('info', { write: text => written.push(text) }), 'debug', REQUEST)
  writeRequestLine(openLog('silent', { write: text => written.push(text) }), 'info', REQUEST)
  writeRequestLine(pino({ enabled: false }, { write: text => written.push(text) }), 'info', REQUEST)
  assert.deepEqual(written, [])
})
