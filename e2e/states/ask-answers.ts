import { longName } from './owner-answers.ts'

const LETTER = `Your people can sign in again: Friday’s release is rolled back since 9:10 this morning, and we tried it with your account.

The three days that you could not work, **€49.90**, come back to your card by Friday.

Ticket SUP-1482 stays open until the test that missed it is in place.`

const HOUR_MS = 3_600_000
const at = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString()

const choices = [
  { id: 'approve', label: 'Approve' },
  { id: 'reject', label: 'Reject', ends: 'failed' },
]

const closed = { decision: null, givenText: null, reason: null, by: null, at: null }

/** What a run asks grace. */
export const openAsk = {
  id: 71,
  executionId: 231,
  chainId: 12,
  chainName: 'Ticket to answer',
  position: 4,
  title: 'Ana approves the answer',
  runBy: 'maren',
  question: 'Approve the answer to Halden Marine',
  text: LETTER,
  editable: true,
  people: ['grace', 'ines'],
  groups: [],
  choices,
  onDeadline: 'reject',
  since: at(-0.2),
  deadline: at(23.8),
  status: 'open',
  ...closed,
  canAnswer: true,
}

const CALL = `POST https://shop.example.org/v1/orders/order-20418/refunds?lang=en
Content-Type: application/json
Authorization: Bearer $<shop_key>

{
  "amount": 49.90,
  "note": "{{approved.text}}"
}`

/** What goes out once it is answered is part of it. */
export const callingAsk = {
  ...openAsk,
  id: 79,
  calls: [
    { position: 5, title: 'Book the refund', text: CALL },
    {
      position: 6,
      title: 'أرسل كل سطر من الفاتورة إلى خدمة الفواتير',
      text: `PATCH https://billing.a-harbour-with-a-name-as-long-as-its-pier.example.org/api/v2/customers/{{item}}/${'lines'.repeat(20)}`,
    },
  ],
}

/** A call of which nobody knows whether it happened. */
export const unsureAsk = {
  ...openAsk,
  id: 80,
  position: 1,
  title: 'Book the refund',
  runBy: 'grace',
  question: 'Did the call of “Book the refund” for item 3 happen?',
  text: CALL.replace('$<shop_key>', 'sk_live_51H').replace('{{approved.text}}', 'Friday'),
  editable: false,
  people: ['grace'],
  choices: [
    { id: 'happened', label: 'It happened' },
    { id: 'again', label: 'Send it again' },
  ],
  onDeadline: '',
  deadline: at(720),
  unsure: { item: 2, why: 'The service did not answer within 60 seconds' },
}

export const unsureAnsweredAsk = {
  ...unsureAsk,
  id: 81,
  status: 'answered',
  decision: 'happened',
  givenText: '{"refund_id": "rf_88123", "state": "booked"}',
  by: 'grace',
  at: at(0),
  canAnswer: false,
}

/** Names, a question and choices as long as they get, from right to left too. */
export const longAsk = {
  ...openAsk,
  id: 72,
  executionId: 232,
  chainName: 'Issue to answer, with everything that support has learned in five years',
  runBy: longName,
  question:
    'Is this what we want to promise to a customer who has waited for three weeks, who has written to us eleven times, and whose contract says that we have to answer within a day?',
  text: 'لا نستطيع أن نعد بذلك.\n\n'.repeat(3),
  editable: false,
  choices: [
    { id: 'send', label: 'Send it as it stands' },
    { id: 'later', label: 'Ask again tomorrow', ends: 'completed' },
    { id: 'never', label: 'Never send such a thing to anybody, whoever it may be', ends: 'failed' },
  ],
  onDeadline: 'later',
  since: at(-30),
}

const briefAsk = {
  ...openAsk,
  id: 73,
  executionId: 233,
  question: 'Send the release mail?',
  text: '',
  chainName: 'Release, from commits to mail',
}

export const otherAsk = {
  ...openAsk,
  id: 74,
  executionId: 234,
  question: 'May this refund be booked?',
  runBy: 'grace',
  people: ['ana', longName],
  groups: ['Support leads'],
  role: 'owner',
  canAnswer: false,
}

export const answeredAsk = {
  ...openAsk,
  id: 75,
  executionId: 235,
  ...{ status: 'answered', canAnswer: false, decision: 'approve', by: 'ines', at: at(-0.1) },
  givenText: LETTER.replace('by Friday', 'within ten days'),
  reason: 'Their bank takes that long.',
}

export const rejectedAsk = {
  ...openAsk,
  id: 76,
  executionId: 236,
  ...{ status: 'answered', canAnswer: false, decision: 'reject', by: 'grace', at: at(-0.1) },
  reason: 'They want the money back first.',
}

export const expiredAsk = {
  ...openAsk,
  id: 77,
  executionId: 237,
  ...{ status: 'expired', canAnswer: false, decision: 'reject' },
  ...{ since: at(-26), deadline: at(-2), at: at(-2) },
}

export const withdrawnAsk = {
  ...openAsk,
  id: 78,
  executionId: 238,
  status: 'withdrawn',
  canAnswer: false,
  at: at(-1),
}

export const openAsks = [openAsk, longAsk, briefAsk, otherAsk]
export const allAsks = [...openAsks, answeredAsk, rejectedAsk, expiredAsk, withdrawnAsk]

const send = { chainId: 12, kind: 'ask', groups: [], role: null, isConfirmed: true }

/** Where the private values of a run would go. */
export const sends = [
  { ...send, destination: 'a', position: 1, title: 'Ana approves', people: ['ana'] },
  {
    ...send,
    destination: 'b',
    position: 3,
    title: 'Approve the answer, once more, as it goes to the customer',
    people: [longName],
    groups: [{ name: 'Support leads', memberCount: 4, leaders: ['ana', 'ines'] }],
    role: { role: 'editor', count: 2 },
    isConfirmed: false,
  },
]
