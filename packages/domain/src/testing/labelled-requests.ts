import { FURTHER_REQUESTS } from './further-requests.ts'
import { TRADE_CHAINS } from './labelled-trades.ts'
import { WORK_CHAINS } from './labelled-work.ts'
import { OUT_OF_SCOPE_REQUESTS } from './out-of-scope-requests.ts'

/** Twenty chains, each with three examples and twelve other requests that are meant for it. */
export const LABELLED_CHAINS = [...WORK_CHAINS, ...TRADE_CHAINS].map((chain, index) => ({
  ...chain,
  requests: [...chain.requests, ...(FURTHER_REQUESTS[chain.name] ?? [])],
  id: index + 1,
}))

/** Requests that none of them is for. */
export const UNFIT_REQUESTS: readonly string[] = [
  'Good morning!',
  'Tell me a joke about cats',
  'What is the capital of Mongolia?',
  'How tall is Mount Everest?',
  'Sing me a song',
  'Who won the world cup in 1998?',
  'What is two plus two?',
  'Should I take an umbrella today?',
  'Are you a human?',
  'Play chess with me',
  'What is the meaning of life?',
  'Recommend a good film for tonight',
  'How old is the universe?',
  'Write a poem about autumn leaves',
  'Name a good dog for a small flat',
  'What time is it in Tokyo?',
  'How do magnets work?',
  'Tell me a bedtime story about a dragon',
  'Why is the sky blue?',
  'My back hurts, what can I do?',
  'Which guitar should a beginner buy?',
  'Give me a riddle',
  'How do I tie a bow tie?',
  'When does the moon rise?',
  'Thanks, that was all',
  'How far away is the sun?',
  'Do fish sleep?',
  'What colour suits green eyes?',
  'Help me fall asleep',
  'Is a tomato a fruit?',
  ...OUT_OF_SCOPE_REQUESTS,
]
