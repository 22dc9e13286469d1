const BLUNT: Record<string, string> = {
  'as i already said': 'to come back to it',
  'as per my last': 'following up on my last',
  asap: 'by Friday, if you can',
  'at once': 'as soon as you can',
  'do not': 'please don’t',
  'failed to': 'did not get to',
  immediately: 'as soon as you can',
  'must not': 'should not',
  must: 'should',
  never: 'seldom',
  obviously: 'as far as I see',
  unacceptable: 'not what we hoped for',
  wrong: 'not right yet',
  'you forgot': 'we still miss',
  'you should have': 'next time, could you have',
}
const WARM =
  /\b(?:thanks?|thank you|glad|happy|please|welcome|appreciate\w*|great|love\w*|enjoy\w*|kind\w*|sorry|help)\b/i
const UNSURE = /\b(?:maybe|perhaps|might|possibly|somewhat|i think|i guess|sort of|kind of)\b/i

const LEGAL: Record<string, string> = {
  'at the sole discretion of': 'as decided by',
  commence: 'start',
  commences: 'starts',
  'in accordance with': 'as set out in',
  'in the event of': 'in case of',
  'in the event that': 'if',
  'not less than': 'at least',
  notwithstanding: 'despite',
  'prior to': 'before',
  'pursuant to': 'under',
  remit: 'pay',
  shall: 'must',
  'subsequent to': 'after',
  terminate: 'end',
  terminated: 'ended',
  terminates: 'ends',
  termination: 'ending',
  thereof: 'of it',
  'with respect to': 'about',
}

export function toneOf(text: string): string {
  if (matcherOf(BLUNT).test(text) || /!{2,}/.test(text)) return 'blunt'
  if (WARM.test(text)) return 'warm'
  return UNSURE.test(text) ? 'unsure' : 'neutral'
}

export function bluntWords(text: string): string[] {
  return text.match(matcherOf(BLUNT, 'gi')) ?? []
}

export function softened(text: string): string {
  return replaced(text, BLUNT).replace(/!{2,}/g, '.')
}

export function plain(text: string): string {
  return replaced(text, LEGAL)
}

function replaced(text: string, words: Record<string, string>): string {
  return text.replace(matcherOf(words, 'gi'), (found) => {
    const instead = words[found.toLowerCase()] ?? found
    return /^\p{Lu}\p{Ll}/u.test(found)
      ? instead.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())
      : instead
  })
}

function matcherOf(words: Record<string, string>, flags = 'i'): RegExp {
  const longestFirst = Object.keys(words).sort((a, b) => b.length - a.length)
  return new RegExp(`\\b(?:${longestFirst.join('|')})\\b`, flags)
}
