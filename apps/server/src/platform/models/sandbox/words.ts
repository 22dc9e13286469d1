const TEXT_LENGTH = 180
const STOP_WORDS = new Set(
  `a an the and or but nor of to in on at by for from with without into onto over under per as is are was were be been it its
  this that these those they them their there then than we us our you your i me my he she his her who whom which what when where
  how why all any each every some no not only just one two three four five also so if do does did can could will would shall
  should must may might have has had please write draft compose make give list table mail e-mail email letter answer reply
  respond return turn show use keep summarise summarize summary explain review check note notes text short brief below above
  following markdown bullet bullets bulleted numbered point points item items column columns row rows word words sentence
  sentences line lines most least about form format named new idea ideas step steps instructions tips examples weekly`.split(
    /\s+/,
  ),
)
const WORD = /[\p{L}\p{N}][\p{L}\p{N}'’-]{0,39}/gu
const CALENDAR =
  'monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|june|july|august|september|october|november|december'
const CALENDAR_WORD = new RegExp(`^(?:${CALENDAR})$`, 'i')
const DATE = new RegExp(
  [
    '\\b\\d{4}-\\d{2}-\\d{2}\\b',
    `\\b\\d{1,2}\\.? (?:${CALENDAR})\\b(?: \\d{4})?`,
    `\\b(?:${CALENDAR}) \\d{1,2}\\b`,
    '\\b(?:next|this|last) (?:week|month|quarter|year)\\b',
    `\\b(?:${CALENDAR.replace('may|', '')})\\b`,
    '\\b(?:today|tomorrow|tonight)\\b',
    '\\b\\d{1,4} (?:calendar |business |working )?(?:hours?|days?|weeks?|months?|years?)\\b',
  ].join('|'),
  'iu',
)
const MONEY =
  /[€$£] ?\d[\d.,]{0,14}\d|[€$£] ?\d|\b\d[\d.,]{0,15} ?(?:EUR|USD|CHF|GBP|euros?|dollars?|francs?)\b/iu
const AMOUNT =
  /(?:[€$£] ?\d[\d.,]{0,14}\d|[€$£] ?\d|\b\d[\d.,]{0,15} ?(?:%|percent|EUR|USD|CHF|GBP|euros?|dollars?|francs?)|\b\d[\d.,]{0,15})/iu
const ACTING =
  /^(?:will|takes?|owns?|sends?|writes?|asks?|prepares?|agreed|decided|calls?|checks?|books?|drafts?|and|to)$/
const NUMBERS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']

export function oneLine(text: string, length = TEXT_LENGTH): string {
  const line = text
    .slice(0, length * 4)
    .replace(/\s+/g, ' ')
    .trim()
  const cut = [...line].slice(0, length).join('')
  return cut.length < line.length ? `${cut.trimEnd()}…` : cut
}

export function capitalized(text: string): string {
  return text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())
}

export function sentencesOf(text: string): string[] {
  return text
    .split(/(?<=[.!?]["”')]?) (?=["“'(]?[\p{Lu}\p{N}])/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '')
}

export function keyWords(text: string): string[] {
  const words = text.match(WORD) ?? []
  return [...new Set(words.filter((word) => word.length > 2 && !STOP_WORDS.has(word.toLowerCase())))]
}

export function keyPhrases(text: string): string[] {
  const phrases: string[][] = [[]]
  for (const word of text.match(/[\p{L}\p{N}][\p{L}\p{N}'’-]{0,39}|[^\s\p{L}\p{N}]/gu) ?? []) {
    const says = word.length > 2 && !STOP_WORDS.has(word.toLowerCase())
    const last = phrases.at(-1)
    if (says && last !== undefined && last.length < 4) last.push(word)
    else phrases.push(says ? [word] : [])
  }
  return [...new Set(phrases.filter((phrase) => phrase.length > 0).map((phrase) => phrase.join(' ')))]
}

export function personIn(text: string): string | undefined {
  const words = text.match(WORD) ?? []
  return words.find((word, index) => {
    if (!/^\p{Lu}\p{Ll}+$/u.test(word) || CALENDAR_WORD.test(word) || STOP_WORDS.has(word.toLowerCase()))
      return false
    return ACTING.test(words[index + 1] ?? '') || index > 0
  })
}

export function dateIn(text: string): string | undefined {
  return DATE.exec(text)?.[0]
}

export function amountIn(text: string): string | undefined {
  return AMOUNT.exec(text)?.[0].trim()
}

export function moneyIn(text: string): string | undefined {
  return MONEY.exec(text)?.[0].trim()
}

/** How many are asked for: 'three bullets', 'top 5', 'at most 4'. */
export function countIn(ask: string): number | undefined {
  const found =
    /\b(\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten)(?: [\p{L}-]{1,20}){0,2}? (?:bullets?|points?|items?|ideas?|steps?|sentences?|rows?|lines|questions|reasons|tips|examples|options|names|titles|findings|topics|highlights)\b/iu.exec(
      ask,
    ) ??
    /\b(?:top|at most|up to) (\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten)\b(?! words)/iu.exec(
      ask,
    )
  const word = found?.[1]?.toLowerCase()
  if (word === undefined) return undefined
  const number = NUMBERS.indexOf(word) + 1 || Number(word)
  return number > 0 ? Math.min(number, 20) : undefined
}

/** The names of 'columns A, B and C', of 'headings: A | B', and of a list that such a line announces. */
export function namesAfter({ ask, word }: { ask: string; word: RegExp }): string[] {
  const found = word.exec(ask)
  if (found === null) return []
  const rest = ask.slice(found.index + found[0].length, found.index + found[0].length + 400)
  const [first = '', ...following] = rest.split('\n')
  const listed = following.slice(0, 12).filter((line) => /^\s*(?:[-*]|\d+[.)]) /.test(line))
  const line = /^[^\p{L}]*$/u.test(first)
    ? listed.map((one) => one.replace(/^\s*(?:[-*]|\d+[.)]) /, '')).join(', ')
    : first
  const clause = line.split(/[.;!?)](?:\s|$)/)[0] ?? ''
  const afterColon = clause.includes(': ') ? clause.slice(clause.indexOf(': ') + 2) : clause
  return afterColon
    .split(/[,|/]| (?:and|or|und|then) /)
    .map((name) =>
      name
        .replace(
          /^(?:[^\p{L}\p{N}#]|(?:and|or|for|of|with|named|called|are|is|these|the|a|an|its|as|into|by|to) )+/giu,
          '',
        )
        .replace(/[^\p{L}\p{N}#]+$/u, ''),
    )
    .filter((name) => name !== '' && name.length <= 30 && name.split(' ').length <= 4)
    .slice(0, 8)
}
