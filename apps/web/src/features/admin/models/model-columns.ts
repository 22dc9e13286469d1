/** The columns of the table of models; where there is no room for them each row is a card. */
export const MODEL_COLUMNS =
  'gap-x-3 px-3.5 @min-[760px]:grid-cols-[minmax(92px,1fr)_minmax(130px,1.5fr)_minmax(130px,1.5fr)_64px_124px_96px_28px]'
