import { keyWords } from './words.ts'

const TOPICS = [
  {
    name: 'Decisions',
    asked: /\bdecisions?|decided\b/i,
    said: /\b(?:decid|agree[ds]|approv|settled|chose|we go with|will not)/i,
  },
  {
    name: 'Problems',
    asked: /\b(?:problems?|complaints?|issues?|bugs?|risks?|worries|pains?|negative)\b/i,
    said: /\b(?:bugs?|slow|fail\w*|crash\w*|broken|can(?:no|')t|errors?|late|delay\w*|risks?|blocked|missing|lost|confus\w*|wrong)\b/i,
  },
  {
    name: 'Wishes',
    asked: /\b(?:wish(?:es)?|requests?|ideas?|wants?|suggestions?)\b/i,
    said: /\b(?:would|wish\w*|could you|please add|want\w*|hope|need|miss)\b/i,
  },
  {
    name: 'Open questions',
    asked: /\b(?:open )?questions?\b/i,
    said: /\?|\b(?:open|unclear|unsure|not sure|undecided|to be (?:seen|decided))\b/i,
  },
  {
    name: 'Ending',
    asked: /\b(?:ending|end it|to end|cancel\w*|terminat\w*|notice)\b/i,
    said: /\b(?:terminat\w*|cancel\w*|notice|ends?|expire\w*|renew\w*)\b/i,
  },
  {
    name: 'Money',
    asked: /\b(?:money|costs?|prices?|fees?|payments?)\b/i,
    said: /[€$£]|\b(?:pay\w*|fees?|price\w*|invoice\w*|costs?|billing|refund\w*)\b/i,
  },
  {
    name: 'Actions',
    asked: /\b(?:actions?|tasks?|to-?dos?|next steps?|follow-ups?|owners?|who does)\b/i,
    said: /\b(?:will|to do|takes|owns|sends|prepares|by (?:monday|tuesday|wednesday|thursday|friday|tomorrow|the end))\b/i,
  },
  {
    name: 'Benefits',
    asked: /\b(?:gets?|receives?|benefits?|included)\b/i,
    said: /\b(?:provid\w*|hosts?|includ\w*|deliver\w*|receiv\w*|grant\w*|licen[cs]\w*)\b/i,
  },
  {
    name: 'Duties',
    asked: /\b(?:duties|obligations?|must)\b/i,
    said: /\b(?:must|shall|agrees? to|required|responsible)\b/i,
  },
  { name: 'Rights', asked: /\b(?:rights?|may)\b/i, said: /\b(?:may|entitled|has the right)\b/i },
  {
    name: 'Praise',
    asked: /\b(?:praise|good|highlights?|positive|wins?|strengths?|thanks)\b/i,
    said: /\b(?:love\w*|great|thank\w*|good|fast(?:er)?|easy|easier|helpful|nice|happy|glad|perfect)\b/i,
  },
] as const

const OTHER = 'Other'

export function topicOf(text: string): string {
  return TOPICS.find(({ said }) => said.test(text))?.name ?? OTHER
}

export function headingFor({
  text,
  headings,
}: {
  text: string
  headings: readonly string[]
}): string | undefined {
  for (const { said, asked } of TOPICS) {
    const heading = said.test(text) ? headings.find((one) => asked.test(one)) : undefined
    if (heading !== undefined) return heading
  }
  const lower = text.toLowerCase()
  return headings.find((heading) =>
    keyWords(heading).some((word) =>
      lower.includes(word.toLowerCase().slice(0, Math.max(4, word.length - 2))),
    ),
  )
}

export function isTopic({ text, ask }: { text: string; ask: string }): boolean {
  return TOPICS.some(({ asked, said }) => asked.test(ask) && said.test(text))
}
