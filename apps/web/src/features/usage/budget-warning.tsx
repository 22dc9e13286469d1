import type { BudgetState } from '@catenary/contracts'
import { TriangleAlertIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Banner } from '../../components/ui/banner.tsx'
import { ByName } from '../accounts/by-name.tsx'
import { moneyText } from './usage-text.ts'

interface BudgetWarningProps {
  budget: BudgetState
  shape?: 'bar' | 'box'
  action?: ReactNode
}

export function BudgetWarning({
  budget: { budgetUsd, spentUsd },
  shape = 'box',
  action,
}: BudgetWarningProps) {
  const isSpent = spentUsd >= budgetUsd
  const most = moneyText(budgetUsd)
  return (
    <Banner
      role="status"
      shape={shape}
      variant={isSpent ? 'danger' : 'warn'}
      icon={<TriangleAlertIcon />}
      action={action}
      className={shape === 'bar' ? 'max-md:px-4' : ''}
    >
      {isSpent ? (
        <>
          Your {most} monthly budget is used up. No model is called until next month.{' '}
          <ByName
            text="Ask an administrator to raise it."
            own="You can raise it in Settings → Limits and budgets."
          />
        </>
      ) : (
        `You have used 80 % of your ${most} monthly budget. Once it is used up, no model is called until next month.`
      )}
    </Banner>
  )
}
