import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Candidate, plan, type ToReview } from '#product/programme/reviews/assigning.ts'
import { findConflict, knownOf, writersOf } from '#product/programme/reviews/conflicts.ts'

const pause = async () => undefined
const nobody = writersOf({ authors: [], contact: { name: 'Lin', email: 'lin@a.example', phone: null } })

const abstractOf = (id: string, changes: Partial<ToReview> = {}): ToReview => ({
  ...{ id, topicId: null, writers: nobody, taken: new Set<string>(), lacks: 2 },
  ...changes,
})

const candidateOf = (id: string, changes: Partial<Candidate> = {}): Candidate => ({
  ...{ id, topics: new Set<string>(), load: 0 },
  known: knownOf({ name: id, email: `${id}@${id}.example`, affiliation: null, conflicts: [] }),
  ...changes,
})

const pairs = (found: Awaited<ReturnType<typeof plan>>) =>
  found.assignments.map(({ abstract_id, reviewer_id }) => `${abstract_id} ${reviewer_id}`).sort()

const plain = { affiliation: null, orcid: null, affiliations: [] }

test('each abstract gets as many different reviewers as it lacks, and all reviewers as many abstracts', async () => {
  const abstracts = Array.from({ length: 30 }, (_, at) => abstractOf(`a${at}`))
  const candidates = Array.from({ length: 6 }, (_, at) => candidateOf(`r${at}`))
  const found = await plan(abstracts, candidates, 10, pause)
  assert.equal(new Set(pairs(found)).size, 60)
  assert.deepEqual([...found.loads.values()], [10, 10, 10, 10, 10, 10])
  assert.equal(found.gaps.size, 0)
  for (const { id } of abstracts)
    assert.equal(found.assignments.filter(({ abstract_id }) => abstract_id === id).length, 2)
})

test('the same input gives the same plan, in whichever order it comes', async () => {
  const abstracts = Array.from({ length: 20 }, (_, at) => abstractOf(`a${at}`))
  const candidates = Array.from({ length: 5 }, (_, at) => candidateOf(`r${at}`))
  const one = await plan(abstracts, candidates, 8, pause)
  const other = await plan(abstracts.toReversed(), candidates.toReversed(), 8, pause)
  assert.deepEqual(pairs(one), pairs(other))
})

test('whoever knows the topic comes first, then whoever has the fewest, and nobody gets more than the most', async () => {
  const knows = candidateOf('knows', { topics: new Set(['t']), load: 1 })
  const idle = candidateOf('idle')
  const busy = candidateOf('busy', { load: 1 })
  const one = await plan([abstractOf('a', { topicId: 't', lacks: 1 })], [busy, idle, knows], 5, pause)
  assert.deepEqual(pairs(one), ['a knows'])
  const other = await plan([abstractOf('a', { lacks: 1 })], [busy, idle, knows], 5, pause)
  assert.deepEqual(pairs(other), ['a idle'])
  const full = await plan([abstractOf('a', { topicId: 't' })], [busy, idle, knows], 1, pause)
  assert.deepEqual(pairs(full), ['a idle'])
  assert.deepEqual([...full.gaps], [['a', 1]])
})

test('nobody gets what they have, have given back, or have a conflict with; what few can review comes first', async () => {
  const writers = writersOf({
    authors: [{ ...plain, name: 'Rosa', email: 'rosa@uni.example', presenting: true }],
    contact: { name: 'Rosa', email: 'rosa@uni.example', phone: null },
  })
  const colleague = candidateOf('colleague', {
    known: knownOf({ name: 'Ben', email: 'ben@uni.example', affiliation: null, conflicts: [] }),
  })
  const free = candidateOf('free')
  const found = await plan(
    [abstractOf('wide', { lacks: 1 }), abstractOf('narrow', { writers, lacks: 1 })],
    [colleague, free],
    1,
    pause,
  )
  assert.deepEqual(pairs(found), ['narrow free', 'wide colleague'])
  const taken = new Set(['free', 'colleague'])
  const none = await plan([abstractOf('a', { taken, lacks: 1 })], [colleague, free], 9, pause)
  assert.deepEqual([pairs(none), [...none.gaps]], [[], [['a', 1]]])
})

test('a conflict is the same person, a domain that is not everybody’s, an affiliation, or what a reviewer has named', () => {
  const writers = writersOf(
    {
      authors: [
        {
          ...plain,
          name: 'José Núñez',
          email: 'jose@uni.example',
          affiliation: 'Instituto de Cuentas; Hospital',
          presenting: true,
        },
        { ...plain, name: 'Ada', email: 'ada@gmail.com', presenting: false },
      ],
      contact: { name: 'Ada', email: 'ada@gmail.com', phone: null },
    },
    'sent@by.example',
  )
  const conflictOf = (changes: Partial<Parameters<typeof knownOf>[0]>) =>
    findConflict(
      writers,
      knownOf({ name: 'Rosa', email: 'rosa@other.example', affiliation: null, conflicts: [], ...changes }),
    )
  assert.equal(conflictOf({}), undefined)
  assert.equal(conflictOf({ email: 'JOSE@uni.example' }), 'person')
  assert.equal(conflictOf({ email: 'sent@BY.example' }), 'person')
  assert.equal(conflictOf({ name: 'jose nunez' }), 'person')
  assert.equal(conflictOf({ email: 'rosa@uni.example' }), 'domain')
  assert.equal(conflictOf({ email: 'rosa@gmail.com' }), undefined)
  assert.equal(conflictOf({ affiliation: 'INSTITUTO DE CUENTAS' }), 'affiliation')
  assert.equal(conflictOf({ affiliation: 'Hospital' }), 'affiliation')
  assert.equal(conflictOf({ conflicts: ['Núñez'] }), 'told')
  assert.equal(conflictOf({ conflicts: ['@gmail.com'] }), 'told')
  assert.equal(conflictOf({ conflicts: ['instituto de cuentas'] }), 'told')
  // A short name is no part of others.
  assert.equal(conflictOf({ conflicts: ['Jo', 'Cuenta'] }), undefined)
  assert.equal(conflictOf({ conflicts: ['Grace', ' '] }), undefined)
})
