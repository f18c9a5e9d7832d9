/** What a failed response means, how long to wait, and how to stay under a rate limit. */
export const errorHandlers = ['DefaultErrorHandler', 'CompositeErrorHandler', 'CustomErrorHandler'] as const

export const failures = {
  DefaultErrorHandler: {
    'backoff_strategies?': {
      list: [
        'ConstantBackoffStrategy',
        'ExponentialBackoffStrategy',
        'WaitTimeFromHeader',
        'WaitUntilTimeFromHeader',
        'WaitTimeFromResponse',
        'CustomBackoffStrategy',
      ],
    },
    'max_retries?': ['integer', 'template'],
    'response_filters?': { list: 'HttpResponseFilter' },
  },
  CompositeErrorHandler: { error_handlers: { list: errorHandlers } },
  CustomErrorHandler: { class_name: 'text' },
  HttpResponseFilter: {
    'action?': {
      choice: [
        'SUCCESS',
        'FAIL',
        'RETRY',
        'IGNORE',
        'RESET_PAGINATION',
        'RATE_LIMITED',
        'REFRESH_TOKEN_THEN_RETRY',
        'REDUCE_PAGE_SIZE',
        'SPLIT_REQUEST_WINDOW',
      ],
    },
    'failure_type?': { choice: ['system_error', 'config_error', 'transient_error'] },
    'error_message?': 'template',
    'error_message_contains?': 'text',
    'http_codes?': { list: 'integer' },
    'predicate?': 'template',
  },
  ConstantBackoffStrategy: { backoff_time_in_seconds: ['number', 'template'], 'jitter_range_in_seconds?': 'number' },
  ExponentialBackoffStrategy: { 'factor?': ['number', 'template'], 'jitter_range_in_seconds?': 'number' },
  WaitTimeFromHeader: { header: 'template', 'regex?': 'text', 'max_waiting_time_in_seconds?': ['number', 'template'] },
  WaitUntilTimeFromHeader: {
    header: 'template',
    'min_wait?': ['number', 'template'],
    'regex?': 'template',
    'max_waiting_time_in_seconds?': ['number', 'template'],
  },
  WaitTimeFromResponse: { wait_time_in_seconds: 'template', 'max_waiting_time_in_seconds?': ['number', 'template'] },
  CustomBackoffStrategy: { class_name: 'text' },
  HTTPAPIBudget: {
    policies: { list: ['FixedWindowCallRatePolicy', 'MovingWindowCallRatePolicy', 'UnlimitedCallRatePolicy'] },
    'ratelimit_reset_header?': 'text',
    'ratelimit_remaining_header?': 'text',
    'status_codes_for_ratelimit_hit?': { list: 'integer' },
  },
  MovingWindowCallRatePolicy: { rates: { list: 'Rate' }, matchers: { list: 'HttpRequestRegexMatcher' } },
  FixedWindowCallRatePolicy: { period: 'text', call_limit: 'integer', matchers: { list: 'HttpRequestRegexMatcher' } },
  UnlimitedCallRatePolicy: { matchers: { list: 'HttpRequestRegexMatcher' } },
  Rate: { limit: ['integer', 'template'], interval: 'text' },
  HttpRequestRegexMatcher: {
    'method?': 'text',
    'url_base?': 'text',
    'url_path_pattern?': 'text',
    'params?': 'map',
    'headers?': 'map',
    'weight?': ['integer', 'text'],
  },
} as const
