/** How pages follow each other. */
export const paginators = ['DefaultPaginator', 'NoPagination'] as const

/** The pagination methods: planner and builder have one entry for each. */
const strategies = ['PageIncrement', 'OffsetIncrement', 'CursorPagination', 'CustomPaginationStrategy'] as const
export type StrategyType = (typeof strategies)[number]

export const pagination = {
  DefaultPaginator: {
    pagination_strategy: strategies,
    'page_size_option?': 'RequestOption',
    'page_token_option?': ['RequestOption', 'RequestPath'],
  },
  NoPagination: {},
  OffsetIncrement: { 'page_size?': ['integer', 'template'], 'inject_on_first_request?': 'boolean' },
  PageIncrement: {
    'page_size?': ['integer', 'template'],
    'start_from_page?': 'integer',
    'inject_on_first_request?': 'boolean',
  },
  CursorPagination: { cursor_value: 'template', 'page_size?': ['integer', 'template'], 'stop_condition?': 'template' },
  CustomPaginationStrategy: { class_name: 'text' },
  PaginationReset: { action: { choice: ['SPLIT_USING_CURSOR', 'RESET'] }, 'limits?': 'PaginationResetLimits' },
  PaginationResetLimits: { 'number_of_records?': 'integer' },
  PageSizeReduction: {
    'reduction_factor?': 'number',
    'minimum_page_size?': 'integer',
    'max_attempts?': 'integer',
    'backoff_seconds?': 'number',
    'retries_at_minimum_page_size?': 'integer',
    'failure_message?': 'text',
    'reset_policy?': { choice: ['NEVER', 'AFTER_SUCCESSFUL_PAGE'] },
  },
  RequestWindowSplitting: { 'failure_message?': 'text', 'min_split_window?': 'text' },
} as const
