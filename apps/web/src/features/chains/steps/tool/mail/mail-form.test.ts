import type { HttpTool, MailTool } from '@catenary/contracts'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { toolKind } from '../tool-kind.ts'
import {
  checkMail,
  type MailInput,
  mailFieldOf,
  mailForm,
  mailInputOf,
  mailTextsWith,
  mailToolOf,
} from './mail-form.ts'

const stored: MailTool = {
  type: 'mail',
  to: ['ana@example.org', '{{triage.from}}'],
  subject: 'About {{triage.order}}',
  text: 'It is **{{triage.state}}**.\n',
}
const saved = z.object(mailForm).superRefine(checkMail).transform(mailToolOf)
const problems = (change: Partial<MailInput>) =>
  saved
    .safeParse({ ...mailInputOf({ tool: stored }), ...change })
    .error?.issues.map(({ path, message }) => [path.join('.'), message]) ?? []

test('an email that is stored comes through the form as it is', () => {
  expect(saved.parse(mailInputOf({ tool: stored }))).toEqual(stored)
})

test('What can’t be sent is refused at its field: addresses, subject and text.', () => {
  expect(problems({ mailTo: ' , ' })).toEqual([['mailTo', 'Write whom the email goes to']])
  expect(problems({ mailTo: 'nobody' })).toEqual([['mailTo', 'Write an email address, or a reference alone']])
  expect(problems({ mailTo: 'a@b.example, to-{{x}}@b.example' })).toEqual([
    ['mailTo', 'to-{{x}}@b.example: Write an email address, or a reference alone'],
  ])
  expect(problems({ mailTo: 'a@b.example, A@b.example' })).toEqual([
    ['mailTo', 'A@b.example: This address is there already'],
  ])
  const many = Array.from({ length: 21 }, (_, index) => `a${index}@b.example`).join(',')
  expect(problems({ mailTo: many })).toEqual([['mailTo', 'At most 20 addresses']])
  expect(problems({ mailSubject: ' ', mailText: '' })).toEqual([
    ['mailSubject', 'Write the subject'],
    ['mailText', 'Write the text'],
  ])
})

test('a field that the server refuses is found in the form', () => {
  expect(['tool.to.1', 'tool.to', 'tool.subject', 'tool.text', 'title'].map(mailFieldOf)).toEqual([
    'mailTo',
    'mailTo',
    'mailSubject',
    'mailText',
    'title',
  ])
})

test('a name that becomes another changes addresses, subject and text', () => {
  const renamed = mailTextsWith(mailInputOf({ tool: stored }), (text) => text.replaceAll('triage', 'mail'))
  expect(saved.parse(renamed)).toEqual(JSON.parse(JSON.stringify(stored).replaceAll('triage', 'mail')))
})

test('Two versions of a step that sends an email differ in sentences, and one that calls instead says so.', () => {
  const sides = { before: { tool: stored }, after: { tool: { ...stored, to: [], text: 'No.' } } }
  expect(toolKind.own.changes(sides)).toEqual([
    { label: 'To', before: 'ana@example.org, {{triage.from}}', after: '' },
  ])
  expect(toolKind.own.textChanges(sides)).toEqual([
    { label: 'Text of the email', before: stored.text, after: 'No.' },
  ])
  const call: HttpTool = {
    type: 'http',
    method: 'GET',
    url: 'https://a.example',
    query: [],
    headers: [],
    body: { type: 'none', content: '' },
    answer: { as: 'text' },
    safeToRepeat: false,
  }
  expect(toolKind.own.changes({ before: { tool: call }, after: { tool: stored } })).toEqual(
    expect.arrayContaining([
      { label: 'What it does', before: 'Call a service', after: 'Send an email' },
      { label: 'Address', before: 'https://a.example', after: '' },
      { label: 'Subject', before: '', after: stored.subject },
    ]),
  )
})
