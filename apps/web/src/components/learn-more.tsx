import { GUIDE_TOPICS, type GuideTopic } from '../lib/guide-topics.ts'
import { GuideLink } from './guide-link.tsx'

export function LearnMore({ about, ...link }: { about: GuideTopic; className?: string }) {
  return <GuideLink {...GUIDE_TOPICS[about]} {...link} />
}
