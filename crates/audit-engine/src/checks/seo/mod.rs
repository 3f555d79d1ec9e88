//! Whether search engines can find, read and present the pages.

mod breadcrumb_positions;
mod canonical_chain;
mod canonical_cross_host;
mod canonical_header_mismatch;
mod canonical_invalid;
mod canonical_missing;
mod canonical_multiple;
mod canonical_outside_head;
mod canonical_relative;
mod canonical_to_error;
mod canonical_to_homepage;
mod canonical_to_noindex;
mod canonical_to_redirect;
mod charset_missing;
mod click_depth_high;
mod crawl_trap;
mod description_duplicate;
mod description_length;
mod description_missing;
mod doctype_missing;
mod fetch_failed;
mod h1_missing;
mod head_broken_by_body_element;
mod host_variants_both_live;
mod hreflang_invalid_code;
mod hreflang_no_return;
mod hreflang_no_self;
mod hreflang_to_error;
mod hreflang_to_noindex;
mod hreflang_to_redirect;
mod html_over_googlebot_limit;
mod http_client_error;
mod http_server_error;
mod images_only_after_js;
mod jsonld_invalid;
mod link_broken_external;
mod link_broken_internal;
mod link_fragment_missing;
mod link_https_to_http;
mod link_internal_nofollow;
mod link_invalid_href;
mod link_localhost;
mod link_not_crawlable;
mod links_without_href;
mod missing_page_not_404;
mod noindex_page;
mod noindex_sitewide;
mod og_image_bad;
mod og_incomplete;
mod orphan_page;
mod redirect_chain;
mod redirect_internal_link;
mod redirect_loop;
mod redirect_meta_refresh;
mod render_blank;
mod render_changes_canonical;
mod render_changes_hreflang;
mod render_changes_robots;
mod render_changes_title;
mod render_only_links;
mod render_only_social_tags;
mod render_only_structured_data;
mod render_redirects_by_script;
mod render_removes_content;
mod render_soft_404;
mod rich_result_invalid_value;
mod rich_result_missing_required;
mod robots_blocks_all;
mod robots_blocks_linked_page;
mod robots_blocks_rendering_assets;
mod robots_invalid_syntax;
mod robots_meta_conflict;
mod robots_meta_unseen;
mod robots_missing;
mod robots_too_large;
mod robots_unreachable;
mod sitemap_coverage_gap;
mod sitemap_invalid;
mod sitemap_lastmod_invalid;
mod sitemap_missing;
mod sitemap_too_large;
mod sitemap_url_blocked;
mod sitemap_url_error;
mod sitemap_url_noindex;
mod sitemap_url_noncanonical;
mod sitemap_url_off_host;
mod sitemap_url_redirect;
mod soft_404;
mod spa_hash_routes;
mod title_duplicate;
mod title_long;
mod title_missing;
mod title_multiple;
mod title_short;
mod twitter_card_missing;
mod url_session_or_tracking;
mod url_too_long;
mod viewport_missing;

use crate::check::Check;

/// Every check of the dimension.
pub(super) const CHECKS: &[&Check] = &[
    &breadcrumb_positions::BREADCRUMB_POSITIONS,
    &canonical_chain::CANONICAL_CHAIN,
    &canonical_cross_host::CANONICAL_CROSS_HOST,
    &canonical_header_mismatch::CANONICAL_HEADER_MISMATCH,
    &canonical_invalid::CANONICAL_INVALID,
    &canonical_missing::CANONICAL_MISSING,
    &canonical_multiple::CANONICAL_MULTIPLE,
    &canonical_outside_head::CANONICAL_OUTSIDE_HEAD,
    &canonical_relative::CANONICAL_RELATIVE,
    &canonical_to_error::CANONICAL_TO_ERROR,
    &canonical_to_homepage::CANONICAL_TO_HOMEPAGE,
    &canonical_to_noindex::CANONICAL_TO_NOINDEX,
    &canonical_to_redirect::CANONICAL_TO_REDIRECT,
    &charset_missing::CHARSET_MISSING,
    &click_depth_high::CLICK_DEPTH_HIGH,
    &crawl_trap::CRAWL_TRAP,
    &description_duplicate::DESCRIPTION_DUPLICATE,
    &description_length::DESCRIPTION_LENGTH,
    &description_missing::DESCRIPTION_MISSING,
    &doctype_missing::DOCTYPE_MISSING,
    &fetch_failed::FETCH_FAILED,
    &h1_missing::H1_MISSING,
    &head_broken_by_body_element::HEAD_BROKEN_BY_BODY_ELEMENT,
    &host_variants_both_live::HOST_VARIANTS_BOTH_LIVE,
    &hreflang_invalid_code::HREFLANG_INVALID_CODE,
    &hreflang_no_return::HREFLANG_NO_RETURN,
    &hreflang_no_self::HREFLANG_NO_SELF,
    &hreflang_to_error::HREFLANG_TO_ERROR,
    &hreflang_to_noindex::HREFLANG_TO_NOINDEX,
    &hreflang_to_redirect::HREFLANG_TO_REDIRECT,
    &html_over_googlebot_limit::HTML_OVER_GOOGLEBOT_LIMIT,
    &http_client_error::HTTP_CLIENT_ERROR,
    &http_server_error::HTTP_SERVER_ERROR,
    &images_only_after_js::IMAGES_ONLY_AFTER_JS,
    &jsonld_invalid::JSONLD_INVALID,
    &link_broken_external::LINK_BROKEN_EXTERNAL,
    &link_broken_internal::LINK_BROKEN_INTERNAL,
    &link_https_to_http::LINK_HTTPS_TO_HTTP,
    &link_fragment_missing::LINK_FRAGMENT_MISSING,
    &link_internal_nofollow::LINK_INTERNAL_NOFOLLOW,
    &link_invalid_href::LINK_INVALID_HREF,
    &link_localhost::LINK_LOCALHOST,
    &link_not_crawlable::LINK_NOT_CRAWLABLE,
    &links_without_href::LINKS_WITHOUT_HREF,
    &missing_page_not_404::MISSING_PAGE_NOT_404,
    &noindex_page::NOINDEX_PAGE,
    &noindex_sitewide::NOINDEX_SITEWIDE,
    &og_image_bad::OG_IMAGE_BAD,
    &og_incomplete::OG_INCOMPLETE,
    &orphan_page::ORPHAN_PAGE,
    &redirect_chain::REDIRECT_CHAIN,
    &redirect_internal_link::REDIRECT_INTERNAL_LINK,
    &redirect_loop::REDIRECT_LOOP,
    &redirect_meta_refresh::REDIRECT_META_REFRESH,
    &render_blank::RENDER_BLANK,
    &render_changes_canonical::RENDER_CHANGES_CANONICAL,
    &render_changes_hreflang::RENDER_CHANGES_HREFLANG,
    &render_changes_robots::RENDER_CHANGES_ROBOTS,
    &render_changes_title::RENDER_CHANGES_TITLE,
    &render_only_links::RENDER_ONLY_LINKS,
    &render_only_social_tags::RENDER_ONLY_SOCIAL_TAGS,
    &render_only_structured_data::RENDER_ONLY_STRUCTURED_DATA,
    &render_redirects_by_script::RENDER_REDIRECTS_BY_SCRIPT,
    &render_removes_content::RENDER_REMOVES_CONTENT,
    &render_soft_404::RENDER_SOFT_404,
    &rich_result_invalid_value::RICH_RESULT_INVALID_VALUE,
    &rich_result_missing_required::RICH_RESULT_MISSING_REQUIRED,
    &robots_blocks_all::ROBOTS_BLOCKS_ALL,
    &robots_blocks_linked_page::ROBOTS_BLOCKS_LINKED_PAGE,
    &robots_blocks_rendering_assets::ROBOTS_BLOCKS_RENDERING_ASSETS,
    &robots_invalid_syntax::ROBOTS_INVALID_SYNTAX,
    &robots_meta_conflict::ROBOTS_META_CONFLICT,
    &robots_meta_unseen::ROBOTS_META_UNSEEN,
    &robots_missing::ROBOTS_MISSING,
    &robots_too_large::ROBOTS_TOO_LARGE,
    &robots_unreachable::ROBOTS_UNREACHABLE,
    &sitemap_coverage_gap::SITEMAP_COVERAGE_GAP,
    &sitemap_invalid::SITEMAP_INVALID,
    &sitemap_lastmod_invalid::SITEMAP_LASTMOD_INVALID,
    &sitemap_missing::SITEMAP_MISSING,
    &sitemap_too_large::SITEMAP_TOO_LARGE,
    &sitemap_url_blocked::SITEMAP_URL_BLOCKED,
    &sitemap_url_error::SITEMAP_URL_ERROR,
    &sitemap_url_noindex::SITEMAP_URL_NOINDEX,
    &sitemap_url_noncanonical::SITEMAP_URL_NONCANONICAL,
    &sitemap_url_off_host::SITEMAP_URL_OFF_HOST,
    &sitemap_url_redirect::SITEMAP_URL_REDIRECT,
    &soft_404::SOFT_404,
    &spa_hash_routes::SPA_HASH_ROUTES,
    &title_duplicate::TITLE_DUPLICATE,
    &title_long::TITLE_LONG,
    &title_missing::TITLE_MISSING,
    &title_multiple::TITLE_MULTIPLE,
    &title_short::TITLE_SHORT,
    &twitter_card_missing::TWITTER_CARD_MISSING,
    &url_session_or_tracking::URL_SESSION_OR_TRACKING,
    &url_too_long::URL_TOO_LONG,
    &viewport_missing::VIEWPORT_MISSING,
];
